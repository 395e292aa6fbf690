#include "learn/layer_bayes.h"

#include <gtest/gtest.h>

#include "tests/learn/made_examples.h"

namespace dowser {
namespace {

// Many pages of the outer layer, few of the inner: the priors must not follow.
const std::vector<Example> kPages = {{vector_of({{1, 2}}), 0},
                                     {vector_of({{2, 2}}), 1},
                                     {vector_of({{3, 1}}), 2},
                                     {vector_of({{3, 1}}), 2}};

TEST(LayerBayes, every_layer_has_the_same_prior) {
  const auto layers = LayerBayes::train(kPages);
  for (const double p : layers->probabilities({})) EXPECT_NEAR(p, 1.0 / 3, 1e-12);
}

TEST(LayerBayes, the_winning_layer_must_reach_the_threshold) {
  // P(1 | layer 0) = 3/5, of the others 1/5: the posterior of layer 0 is 0.6.
  const SparseVector v = vector_of({{1, 1}});
  for (const auto& [threshold, wins] :
       std::vector<std::pair<double, bool>>{{0.5, true}, {0.6 - 1e-9, true}, {0.6 + 1e-9, false}}) {
    const auto layers = LayerBayes::train(kPages, {.threshold = threshold});
    const LayerBayes::Layer layer = layers->layer(v);
    EXPECT_EQ(layer.number.has_value(), wins) << threshold;
    if (wins) {
      EXPECT_EQ(*layer.number, 0u);
    }
    EXPECT_NEAR(layer.probability, 0.6, 1e-12);
  }
}

TEST(LayerBayes, a_page_of_unknown_words_is_other) {
  const auto layers = LayerBayes::train(kPages);
  EXPECT_FALSE(layers->layer(vector_of({{77, 5}})).number);
}

TEST(LayerBayes, of_equal_layers_the_nearest_wins) {
  const auto layers = LayerBayes::train(kPages, {.threshold = 0.3});
  EXPECT_EQ(layers->layer(vector_of({{1, 1}, {2, 1}})).number, 0u);
}

TEST(LayerBayes, layers_are_found_again) {
  const auto layers = LayerBayes::train(made_examples(1, 120, 300, 60, 3));
  int right = 0;
  const auto asked = made_examples(2, 60, 300, 60, 3);
  for (const Example& e : asked) right += layers->layer(e.vector).number == e.label;
  EXPECT_GE(right, 58);
}

TEST(LayerBayes, survives_saving) {
  expect_survives_saving(*LayerBayes::train(made_examples(1, 12, 30, 6, 3), {.threshold = 0.7}));
  EXPECT_FALSE(LayerBayes::train({}));
}

}  // namespace
}  // namespace dowser
