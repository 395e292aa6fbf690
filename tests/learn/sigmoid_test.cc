#include "learn/sigmoid.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace dowser {
namespace {

using Decisions = std::vector<double>;
using Flags = std::vector<uint8_t>;

// The least loss found by ever finer grids around the best point.
double slow_least_loss(const Decisions& decisions, const Flags& positive) {
  Sigmoid best{0, 0};
  double least = sigmoid_loss(best, decisions, positive);
  for (double width = 64; width > 1e-6; width /= 2) {
    for (bool moved = true; moved;) {
      moved = false;
      const Sigmoid middle = best;
      for (int i = -2; i <= 2; ++i) {
        for (int j = -2; j <= 2; ++j) {
          const Sigmoid s{middle.a + i * width / 2, middle.b + j * width / 2};
          const double loss = sigmoid_loss(s, decisions, positive);
          if (loss < least - 1e-13) least = loss, best = s, moved = true;
        }
      }
    }
  }
  return least;
}

TEST(Sigmoid, the_example_of_the_essay_holds) {
  const Decisions decisions = {-2, -1, 1, 2};
  const Sigmoid s = fit_sigmoid(decisions, Flags{0, 0, 1, 1});
  EXPECT_NEAR(s.a, -0.67, 0.01);
  EXPECT_NEAR(s.b, 0, 1e-6);
  EXPECT_NEAR(s(2), 0.79, 0.005);
}

TEST(Sigmoid, the_loss_is_the_negative_log_likelihood_of_platts_targets) {
  const Decisions decisions = {-1.5, 0.2, 0.7};
  const Flags positive = {0, 0, 1};
  const Sigmoid s{-1.3, 0.4};
  double expected = 0;
  for (size_t i = 0; i < 3; ++i) {
    const double t = positive[i] ? 2.0 / 3 : 1.0 / 4;
    const double p = 1 / (1 + std::exp(s.a * decisions[i] + s.b));
    EXPECT_NEAR(s(decisions[i]), p, 1e-15);
    expected -= t * std::log(p) + (1 - t) * std::log(1 - p);
  }
  EXPECT_NEAR(sigmoid_loss(s, decisions, positive), expected, 1e-12);
}

RC_GTEST_PROP(Sigmoid, no_grid_finds_a_better_one, ()) {
  Random random(*rc::gen::arbitrary<uint64_t>());
  const int n = *rc::gen::inRange(1, 25);
  const double apart = *rc::gen::element(0.0, 1.0, 5.0);
  const double scale = *rc::gen::element(0.1, 1.0, 10.0);
  Decisions decisions;
  Flags positive;
  for (int i = 0; i < n; ++i) {
    positive.push_back(random.below(3) == 0);
    decisions.push_back(scale * (2 * random.uniform() - 1 + apart * (positive.back() - 0.5)));
  }
  const double found = sigmoid_loss(fit_sigmoid(decisions, positive), decisions, positive);
  const double least = slow_least_loss(decisions, positive);
  RC_ASSERT(found <= least + 1e-4 * (1 + least));
}

TEST(Sigmoid, huge_decisions_and_separable_ones_stay_finite) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    const Decisions decisions = {-3 * scale, -2 * scale, 2 * scale, 3 * scale};
    const Sigmoid s = fit_sigmoid(decisions, Flags{0, 0, 1, 1});
    EXPECT_TRUE(std::isfinite(s.a) && std::isfinite(s.b)) << scale;
    EXPECT_GT(s(3 * scale), 0.6) << scale;
    EXPECT_LT(s(-3 * scale), 0.4) << scale;
    EXPECT_GE(s(-1e300), 0);
    EXPECT_LE(s(1e300), 1);
  }
}

TEST(Sigmoid, of_one_side_alone_it_says_what_platts_targets_say) {
  const Sigmoid s = fit_sigmoid(Decisions{1, 1, 1}, Flags{1, 1, 1});
  EXPECT_NEAR(s(1), 0.8, 0.01);  // (3 + 1) / (3 + 2)
  EXPECT_TRUE(std::isfinite(fit_sigmoid({}, {}).a));
}

}  // namespace
}  // namespace dowser
