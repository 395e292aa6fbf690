#include "learn/rbf_svm.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <thread>

#include "learn/one_vs_rest.h"
#include "tests/learn/made_examples.h"

namespace dowser {
namespace {

// The sum of the essay, pair by pair.
double slow_decision(const RbfSvm::Parts& parts, size_t machine, const SparseVector& v) {
  double total = parts.biases[machine];
  for (size_t i = 0; i < parts.vectors.size(); ++i) {
    const SparseVector difference = sum(v, parts.vectors[i], -1);
    total += parts.coefficients[i * parts.biases.size() + machine] *
             std::exp(-parts.gamma * dot(difference, difference));
  }
  return total;
}

RC_GTEST_PROP(RbfSvm, the_optimality_conditions_hold, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const uint32_t classes = *rc::gen::inRange(2, 4);
  RbfSvmOptions options{.tolerance = 1e-5, .folds = 0};
  options.cost = *rc::gen::element(0.5, 1.0, 20.0);
  options.gamma = *rc::gen::element(0.0, 0.5, 3.0);
  options.balanced = *rc::gen::arbitrary<bool>();
  const auto examples = unit_length(made_examples(seed, 25, 20, 8, classes));
  const auto svm = RbfSvm::train(examples, options);
  RC_ASSERT(svm.ok());
  const RbfSvm::Parts& parts = svm->parts();
  const size_t machines = parts.biases.size();
  for (size_t m = 0; m < machines; ++m) {
    const auto positive = positive_side(examples, m, classes);
    const SideWeights side = options.balanced ? balanced_weights(positive) : SideWeights{};
    double balance = 0;
    for (size_t i = 0; i < examples.size(); ++i) {
      const double y = positive[i] ? 1 : -1;
      // Of equal examples the coefficients are told apart by their order only: sum them up.
      double a = 0, bound = 0;
      for (size_t s = 0; s < parts.vectors.size(); ++s) {
        if (parts.vectors[s] == examples[i].vector) a += parts.coefficients[s * machines + m] * y;
      }
      int twins = 0;
      for (size_t j = 0; j < examples.size(); ++j) {
        if (!(examples[j].vector == examples[i].vector)) continue;
        ++twins;
        bound += options.cost * (positive[j] ? side.positive : side.negative);
      }
      if (twins > 1) RC_DISCARD("equal documents");
      const double margin = y * slow_decision(parts, m, examples[i].vector);
      RC_ASSERT(a >= -1e-9);
      RC_ASSERT(a <= bound + 1e-9);
      if (a < bound - 1e-9) RC_ASSERT(margin >= 1 - 1e-3);
      if (a > 1e-9) RC_ASSERT(margin <= 1 + 1e-3);
      balance += a * y;
    }
    RC_ASSERT(std::abs(balance) < 1e-6);
  }
}

RC_GTEST_PROP(RbfSvm, decisions_are_what_the_sum_says, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const uint32_t classes = *rc::gen::inRange(2, 4);
  const auto svm =
      RbfSvm::train(unit_length(made_examples(seed, 20, 20, 8, classes)), {.folds = 0});
  Random random(seed + 1);
  const SparseVector v = made_document(random, 25, 6, 1, classes);
  const auto found = svm->decisions(v);
  RC_ASSERT(found.size() == classes);
  for (uint32_t c = 0; c < classes; ++c) {
    const double expected = classes == 2 ? (c == 1 ? 1 : -1) * slow_decision(svm->parts(), 0, v)
                                         : slow_decision(svm->parts(), c, v);
    RC_ASSERT(std::abs(found[c] - expected) < 1e-9);
  }
}

TEST(RbfSvm, more_examples_than_the_table_of_kernels_holds_are_learned_too) {
  // Of two words each, so that libsvm's own kernels are quick.
  const auto examples = unit_length(made_examples(1, 3100, 20, 2, 2));
  const auto svm = RbfSvm::train(examples, {.folds = 0});
  const auto few = RbfSvm::train(std::span(examples).first(1500), {.folds = 0});
  ASSERT_TRUE(svm);
  int right = 0, alike = 0;
  for (const Example& e : examples) {
    right += svm->best(e.vector) == e.label;
    alike += svm->best(e.vector) == few->best(e.vector);
  }
  EXPECT_GT(right, 2400);
  EXPECT_GT(alike, 2700);
}

TEST(RbfSvm, gamma_comes_from_the_spread_of_the_examples) {
  // Two features with mean 1/2 and variance 1/4 each.
  const std::vector<Example> examples = {{vector_of({{7, 1}}), 0}, {vector_of({{9, 1}}), 1}};
  EXPECT_NEAR(RbfSvm::train(examples)->parts().gamma, 2, 1e-12);
  EXPECT_EQ(RbfSvm::train(examples, {.gamma = 0.3})->parts().gamma, 0.3);
}

TEST(RbfSvm, a_class_on_both_sides_of_the_other_is_told_apart) {
  std::vector<Example> examples;
  for (int i = 0; i < 30; ++i) {
    const double x = i < 10 ? i / 10.0 : i < 20 ? 2 + i / 10.0 : 5 + i / 10.0;
    examples.push_back({vector_of({{5, x}, {6, 1}}), i >= 10 && i < 20});
  }
  const auto svm = RbfSvm::train(examples, {.cost = 10, .gamma = 1});
  for (const Example& e : examples) {
    EXPECT_EQ(svm->best(e.vector), e.label);
    EXPECT_EQ(svm->probabilities(e.vector)[1] > 0.5, e.label == 1);
  }
}

TEST(RbfSvm, unseen_documents_are_told_apart) {
  const auto svm = RbfSvm::train(unit_length(made_examples(1, 150, 300, 40, 3)));
  int right = 0;
  for (const Example& e : unit_length(made_examples(2, 150, 300, 40, 3))) {
    right += svm->best(e.vector) == e.label;
    const auto p = svm->probabilities(e.vector);
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
  }
  EXPECT_GE(right, 145);
}

TEST(RbfSvm, threads_and_global_random_numbers_change_nothing) {
  const auto examples = unit_length(made_examples(1, 60, 100, 20, 3));
  std::srand(1);
  const auto expected = RbfSvm::train(examples);
  const int after = std::rand();
  std::srand(1);
  EXPECT_EQ(std::rand(), after);
  std::vector<std::thread> threads;
  std::vector<int> same(3);
  for (int& answer : same) {
    threads.emplace_back([&] { answer = RbfSvm::train(examples)->parts() == expected->parts(); });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(same, std::vector<int>(3, 1));
}

TEST(RbfSvm, prints_nothing_and_refuses_what_cannot_be_learned) {
  testing::internal::CaptureStdout();
  EXPECT_TRUE(RbfSvm::train(made_examples(1, 20, 30, 5, 2)));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_FALSE(RbfSvm::train({}));
  EXPECT_FALSE(RbfSvm::train(made_examples(1, 20, 30, 5, 1)));
  EXPECT_FALSE(RbfSvm::train(made_examples(1, 20, 30, 5, 2), {.gamma = -1}));
}

TEST(RbfSvm, survives_saving_and_parts_that_contradict_are_refused) {
  const auto svm = RbfSvm::train(unit_length(made_examples(1, 20, 30, 5, 3)));
  expect_survives_saving(*svm);
  auto parts = svm->parts();
  parts.vectors.pop_back();
  EXPECT_FALSE(RbfSvm::from_parts(parts));
}

}  // namespace
}  // namespace dowser
