#include "learn/weighted_bayes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/learn/made_examples.h"

namespace dowser {
namespace {

// The formulas of Chen 2008, section 4.3.3.2, over dense tables.
std::vector<double> slow_scores(const std::vector<Example>& examples, const SparseVector& v,
                                uint32_t features, uint32_t classes) {
  const double all = static_cast<double>(examples.size());
  std::vector<double> df(features), documents(classes), words(classes);
  std::vector<std::vector<double>> n(classes, std::vector<double>(features));
  double vocabulary = 0;
  for (const Example& e : examples) {
    ++documents[e.label];
    const auto d = dense(e.vector, features);
    for (uint32_t f = 0; f < features; ++f) {
      df[f] += d[f] > 0, n[e.label][f] += d[f], words[e.label] += d[f];
    }
  }
  for (const double x : df) vocabulary += x > 0;
  const auto d = dense(v, features);
  std::vector<double> scores;
  for (uint32_t c = 0; c < classes; ++c) {
    double score = std::log(documents[c] / all);
    for (uint32_t f = 0; f < features; ++f) {
      if (d[f] == 0 || df[f] == 0) continue;
      score +=
          d[f] * std::log2(all / df[f]) * std::log((n[c][f] + 0.5) / (words[c] + 0.5 * vocabulary));
    }
    scores.push_back(score);
  }
  return scores;
}

RC_GTEST_PROP(WeightedBayes, computes_what_the_dense_reference_computes, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const uint32_t classes = *rc::gen::inRange(2, 4);
  const auto examples = made_examples(seed, *rc::gen::inRange(4, 12), 15, 8, classes);
  const auto bayes = WeightedBayes::train(examples);
  Random random(seed + 1);
  const SparseVector v = made_document(random, 15, 8, 0, classes);
  const auto expected = slow_scores(examples, v, 15, classes), found = bayes->log_scores(v);
  RC_ASSERT(found.size() == classes);
  for (size_t c = 0; c < classes; ++c) RC_ASSERT(std::abs(found[c] - expected[c]) < 1e-9);
  const double total = std::exp(expected[0] - expected[0]) + std::exp(expected[1] - expected[0]);
  if (classes == 2) RC_ASSERT(std::abs(bayes->posteriors(v)[0] - 1 / total) < 1e-9);
}

TEST(WeightedBayes, a_word_of_every_document_has_no_say) {
  const std::vector<Example> examples = {{vector_of({{1, 9}, {2, 1}}), 0},
                                         {vector_of({{1, 1}, {3, 1}}), 1}};
  const auto bayes = WeightedBayes::train(examples);
  EXPECT_EQ(bayes->log_scores(vector_of({{1, 50}})), bayes->log_scores({}));
  EXPECT_EQ(bayes->best(vector_of({{1, 50}, {3, 1}})), 1u);
  // log2(2 / 1) ln((1.5 / 3.5) / (0.5 / 11.5))
  EXPECT_NEAR(bayes->contributions(vector_of({{3, 1}}), 1).at(3),
              std::log(1.5 / 3.5) - std::log(0.5 / 11.5), 1e-12);
}

TEST(WeightedBayes, a_smaller_bias_lets_more_in_and_none_lets_all_in) {
  const auto bayes = WeightedBayes::train(made_examples(1, 40, 50, 10, 2));
  const auto asked = made_examples(2, 200, 50, 3, 2);
  size_t before = 0;
  for (const double bias : {1.0, 0.9, 0.0}) {
    size_t in = 0;
    for (const Example& e : asked) {
      const bool wins = bayes->wins(e.vector, 1, bias);
      in += wins;
      if (bias == 1) {
        EXPECT_EQ(wins, bayes->best(e.vector) == 1);
      }
    }
    EXPECT_GT(in, before) << bias;
    before = in;
  }
  EXPECT_EQ(before, asked.size());
}

TEST(WeightedBayes, given_features_that_no_example_has_are_harmless) {
  const std::vector<Example> examples = {{vector_of({{1, 1}}), 0}, {vector_of({{2, 1}}), 1}};
  const auto bayes = WeightedBayes::train(examples, {.features = {1, 2, 77}});
  EXPECT_EQ(bayes->log_scores(vector_of({{77, 5}})), bayes->log_scores({}));
}

TEST(WeightedBayes, survives_saving_and_parts_that_contradict_are_refused) {
  const auto bayes = WeightedBayes::train(made_examples(1, 12, 30, 6, 2));
  expect_survives_saving(*bayes);
  auto parts = bayes->parts();
  parts.document_frequencies[0] = 13;
  EXPECT_FALSE(WeightedBayes::from_parts(parts));
  parts.document_frequencies.pop_back();
  EXPECT_FALSE(WeightedBayes::from_parts(parts));
  EXPECT_FALSE(WeightedBayes::train({}));
}

}  // namespace
}  // namespace dowser
