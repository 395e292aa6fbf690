#include "eval/verdicts.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace dowser {
namespace {

TEST(Verdicts, are_measured_as_by_hand) {
  // Above a threshold of .5: two said, one of them right; a third is missed.
  const std::vector<PageVerdict> verdicts = {
      {.9, true, true}, {.6, true, false}, {.45, false, true}, {.1, false, false}};
  const auto quality = verdict_quality(verdicts);
  ASSERT_TRUE(quality);
  EXPECT_EQ(quality->pages, 4u);
  EXPECT_EQ(quality->on_topic, 2u);
  EXPECT_DOUBLE_EQ(quality->precision, 0.5);
  EXPECT_DOUBLE_EQ(quality->recall, 0.5);
  EXPECT_DOUBLE_EQ(quality->f1, 0.5);
  EXPECT_DOUBLE_EQ(quality->best_f1, 0.8);  // at .45: two of three are right, and none is missed
  EXPECT_DOUBLE_EQ(quality->best_threshold, .45);
  EXPECT_DOUBLE_EQ(quality->average_precision, (1.0 + 2.0 / 3) / 2);
  EXPECT_NEAR(quality->calibration_error, (.1 + .6 + .55 + .1) / 4, 1e-12);
}

TEST(Verdicts, of_equal_relevance_are_not_told_apart) {
  const std::vector<PageVerdict> verdicts = {
      {.5, true, false}, {.5, true, true}, {.5, true, false}, {.5, true, true}};
  const auto quality = verdict_quality(verdicts);
  ASSERT_TRUE(quality);
  EXPECT_DOUBLE_EQ(quality->average_precision, 0.5);
  EXPECT_DOUBLE_EQ(quality->best_f1, 2.0 / 3);
  EXPECT_NEAR(quality->calibration_error, 0, 1e-12);
}

TEST(Verdicts, have_no_quality_where_nothing_is_on_the_topic) {
  EXPECT_FALSE(verdict_quality(std::vector<PageVerdict>{{.9, true, false}}));
  EXPECT_FALSE(verdict_quality({}));
}

// No threshold that anybody tries is better than the best one, and the error of probabilities that
// are true comes from chance alone.
TEST(Verdicts, best_threshold_is_the_best_and_true_probabilities_are_calibrated) {
  Random random(3);
  std::vector<PageVerdict> verdicts;
  for (int i = 0; i < 20'000; ++i) {
    const double relevance = static_cast<double>(random.below(1001)) / 1000;
    verdicts.push_back(
        {relevance, false, static_cast<double>(random.below(1'000'000)) < 1e6 * relevance});
  }
  const double best = verdict_quality(verdicts)->best_f1;
  EXPECT_LT(verdict_quality(verdicts)->calibration_error, 0.02);
  for (double threshold = 0; threshold <= 1; threshold += 0.01) {
    for (PageVerdict& v : verdicts) v.relevant = v.relevance >= threshold;
    EXPECT_LE(verdict_quality(verdicts)->f1, best);
  }
}

}  // namespace
}  // namespace dowser
