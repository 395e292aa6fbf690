#include "learn/linear_svm.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "learn/one_vs_rest.h"
#include "tests/learn/made_examples.h"

namespace dowser {
namespace {

// What training makes least, for the class `label` against the rest.
double objective(const std::vector<Example>& examples, const LinearSvm::Parts& parts,
                 uint32_t label, const LinearSvmOptions& options) {
  const auto svm = LinearSvm::from_parts(parts);
  std::vector<uint8_t> flags;
  for (const Example& e : examples) flags.push_back(e.label == label);
  const SideWeights side = options.balanced ? balanced_weights(flags) : SideWeights{};
  double total = svm->bias(label) * svm->bias(label) / 2;
  for (const uint32_t f : parts.features) total += std::pow(svm->weight(f, label), 2) / 2;
  for (const Example& e : examples) {
    const bool positive = e.label == label;
    const double slack = std::max(0.0, 1 - (positive ? 1 : -1) * svm->decisions(e.vector)[label]);
    total += options.cost * (positive ? side.positive : side.negative) * slack * slack;
  }
  return total;
}

TEST(LinearSvm, the_example_of_the_essay_holds) {
  const std::vector<Example> examples = {{vector_of({{7, 1}}), 1},
                                         {vector_of({{4000000000u, 1}}), 0}};
  const auto svm = LinearSvm::train(examples, {.tolerance = 1e-8});
  ASSERT_TRUE(svm);
  EXPECT_NEAR(svm->weight(7, 1), 2.0 / 3, 1e-6);
  EXPECT_NEAR(svm->weight(4000000000u, 1), -2.0 / 3, 1e-6);
  EXPECT_NEAR(svm->weight(7, 0), -2.0 / 3, 1e-6);
  EXPECT_NEAR(svm->bias(1), 0, 1e-6);
  EXPECT_EQ(svm->weight(8, 1), 0);
  EXPECT_EQ(svm->best(vector_of({{7, 1}})), 1u);
}

RC_GTEST_PROP(LinearSvm, no_weights_nearby_are_better, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const uint32_t classes = *rc::gen::inRange(2, 5);
  LinearSvmOptions options{.tolerance = 1e-6, .folds = 0};
  options.balanced = *rc::gen::arbitrary<bool>();
  options.cost = *rc::gen::element(0.1, 1.0, 10.0);
  auto examples = unit_length(made_examples(seed, 24, 20, 8, classes));
  examples.resize(19);  // classes of unlike sizes
  const auto svm = LinearSvm::train(examples, options);
  RC_ASSERT(svm.ok());
  RC_ASSERT(svm->classes() == classes);
  const size_t machines = svm->parts().biases.size();
  Random random(seed);
  for (size_t m = 0; m < machines; ++m) {
    const uint32_t label = classes == 2 ? 1 : static_cast<uint32_t>(m);
    const double least = objective(examples, svm->parts(), label, options);
    for (int i = 0; i < 20; ++i) {
      LinearSvm::Parts moved = svm->parts();
      const double size = i % 2 ? 0.1 : 0.01;
      for (size_t n = m; n < moved.weights.size(); n += machines) {
        moved.weights[n] += size * (2 * random.uniform() - 1);
      }
      moved.biases[m] += size * (2 * random.uniform() - 1);
      RC_ASSERT(objective(examples, moved, label, options) >= least - 1e-7);
    }
  }
}

TEST(LinearSvm, decisions_are_the_sums_of_their_contributions) {
  const auto examples = unit_length(made_examples(1, 60, 90, 20, 3));
  const auto svm = LinearSvm::train(examples);
  for (uint32_t label = 0; label < 3; ++label) {
    for (size_t i = 0; i < 10; ++i) {
      const SparseVector shares = svm->contributions(examples[i].vector, label);
      double total = svm->bias(label);
      for (const auto& e : shares.entries()) total += e.value;
      EXPECT_NEAR(svm->decisions(examples[i].vector)[label], total, 1e-12);
    }
  }
}

TEST(LinearSvm, unseen_documents_are_told_apart) {
  for (const uint32_t classes : {2u, 4u}) {
    const auto svm = LinearSvm::train(unit_length(made_examples(1, 200, 400, 40, classes)));
    int right = 0;
    for (const Example& e : unit_length(made_examples(2, 200, 400, 40, classes))) {
      right += svm->best(e.vector) == e.label;
      const auto p = svm->probabilities(e.vector);
      EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
    }
    EXPECT_GE(right, 195) << classes;
  }
}

TEST(LinearSvm, probabilities_are_as_often_right_as_they_say) {
  // Documents of few words: many are undecided.
  const auto svm = LinearSvm::train(unit_length(made_examples(1, 2000, 200, 4, 2)));
  double said = 0, was = 0, wide = 0;
  const auto asked = unit_length(made_examples(2, 2000, 200, 4, 2));
  int middle = 0;
  for (const Example& e : asked) {
    const double p = svm->probabilities(e.vector)[1];
    said += p, was += e.label;
    if (p > 0.3 && p < 0.7) ++middle, wide += e.label - p;
  }
  EXPECT_NEAR(said / 2000, was / 2000, 0.03);
  ASSERT_GT(middle, 100);
  EXPECT_NEAR(wide / middle, 0, 0.1);
}

TEST(LinearSvm, few_positives_count_as_much_as_many_negatives) {
  std::vector<Example> examples;
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const uint32_t label = i % 20 == 0;
    examples.push_back({made_document(random, 40, 6, label, 2).normalised(), label});
  }
  const auto found = [&](bool balanced) {
    const auto svm = LinearSvm::train(examples, {.cost = 0.1, .balanced = balanced, .folds = 0});
    int n = 0;
    Random other(2);
    for (int i = 0; i < 100; ++i) {
      n += svm->best(made_document(other, 40, 6, 1, 2).normalised()) == 1;
    }
    return n;
  };
  EXPECT_GT(found(true), found(false) + 20);
}

TEST(LinearSvm, neither_uses_nor_changes_the_global_random_numbers) {
  const auto examples = unit_length(made_examples(1, 100, 200, 30, 3));
  std::srand(1);
  const auto first = LinearSvm::train(examples);
  const int after = std::rand();
  std::srand(1);
  EXPECT_EQ(std::rand(), after);
  std::srand(99);
  EXPECT_TRUE(LinearSvm::train(examples)->parts() == first->parts());
}

TEST(LinearSvm, threads_that_train_at_once_find_the_same) {
  const auto examples = unit_length(made_examples(1, 150, 300, 30, 3));
  const auto expected = LinearSvm::train(examples);
  std::vector<std::thread> threads;
  std::vector<int> same(4);
  for (int& answer : same) {
    threads.emplace_back(
        [&] { answer = LinearSvm::train(examples)->parts() == expected->parts(); });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(same, std::vector<int>(4, 1));
}

TEST(LinearSvm, prints_nothing) {
  testing::internal::CaptureStdout();
  static_cast<void>(LinearSvm::train(unit_length(made_examples(1, 20, 30, 5, 2))));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(LinearSvm, what_cannot_be_learned_is_refused) {
  const std::vector<Example> one = {{vector_of({{1, 1}}), 0}};
  const std::vector<Example> gap = {{vector_of({{1, 1}}), 0}, {vector_of({{2, 1}}), 2}};
  const std::vector<Example> far = {{vector_of({{1, 1}}), 0}, {vector_of({{2, 1}}), 4294967295u}};
  EXPECT_FALSE(LinearSvm::train({}));
  EXPECT_FALSE(LinearSvm::train(one));
  const auto none = LinearSvm::train(gap);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "linear SVM: class 1 has no examples");
  EXPECT_FALSE(LinearSvm::train(far));
  EXPECT_FALSE(LinearSvm::train(made_examples(1, 9, 20, 5, 2), {.cost = 0}));
}

TEST(LinearSvm, vectors_without_features_are_allowed) {
  const std::vector<Example> examples = {{{}, 0}, {{}, 1}, {{}, 1}};
  const auto svm = LinearSvm::train(examples);
  ASSERT_TRUE(svm);
  EXPECT_TRUE(std::isfinite(svm->decisions({})[0]));
}

TEST(LinearSvm, survives_saving_and_parts_that_contradict_are_refused) {
  const auto svm = LinearSvm::train(unit_length(made_examples(1, 30, 40, 8, 3)));
  expect_survives_saving(*svm);
  auto parts = svm->parts();
  parts.sigmoids.pop_back();
  EXPECT_FALSE(LinearSvm::from_parts(parts));
  parts = svm->parts();
  parts.weights.pop_back();
  EXPECT_FALSE(LinearSvm::from_parts(parts));
}

TEST(OneVsRest, calibration_never_asks_about_what_was_learned) {
  const std::vector<uint8_t> positive = {1, 0, 0, 0, 1, 0, 1, 0, 0, 0};
  std::vector<int> asked(positive.size());
  int trainings = 0;
  calibrate(positive, 5, [&](std::span<const size_t> learn, std::span<const size_t> ask) {
    ++trainings;
    EXPECT_EQ(learn.size() + ask.size(), positive.size());
    int sides[2] = {0, 0};
    for (const size_t i : learn) {
      ++sides[positive[i]];
      for (const size_t j : ask) EXPECT_NE(i, j);
    }
    EXPECT_EQ(sides[1], 2);
    for (const size_t i : ask) ++asked[i];
    return std::vector<double>(ask.size());
  });
  EXPECT_EQ(trainings, 3);  // no more heaps than positives
  EXPECT_EQ(asked, std::vector<int>(positive.size(), 1));
}

}  // namespace
}  // namespace dowser
