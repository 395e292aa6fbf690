#include "eval/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dowser {
namespace {

TEST(Bootstrap, the_mean_is_that_of_the_groups_means) {
  const Interval interval = bootstrap_mean({{1, 2, 3}, {10}});
  EXPECT_DOUBLE_EQ(interval.mean, (2 + 10) / 2.0);
  EXPECT_TRUE(interval.known);
  EXPECT_LE(interval.low, interval.mean);
  EXPECT_GE(interval.high, interval.mean);
}

TEST(Bootstrap, one_large_group_has_the_interval_of_the_normal_distribution) {
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) values.push_back(i % 4 == 0);
  const double error = std::sqrt(0.25 * 0.75 / 400);
  const Interval interval = bootstrap_mean({values});
  EXPECT_DOUBLE_EQ(interval.mean, 0.25);
  EXPECT_NEAR(interval.low, 0.25 - 1.96 * error, 0.1 * error);
  EXPECT_NEAR(interval.high, 0.25 + 1.96 * error, 0.1 * error);
}

TEST(Bootstrap, two_groups_that_disagree_tell_nothing_between_them) {
  const Interval interval = bootstrap_mean({{0, 0, 0}, {1, 1, 1}});
  EXPECT_DOUBLE_EQ(interval.mean, 0.5);
  EXPECT_DOUBLE_EQ(interval.low, 0);
  EXPECT_DOUBLE_EQ(interval.high, 1);
  EXPECT_FALSE(interval.is_positive());
}

TEST(Bootstrap, groups_that_agree_tell_the_mean_from_zero) {
  EXPECT_TRUE(bootstrap_mean({{1, 2}, {2, 1}}).is_positive());
  EXPECT_TRUE(bootstrap_mean({{-1, -2}, {-2, -1}}).is_negative());
  EXPECT_FALSE(bootstrap_mean({{0, 0}}).is_positive());
}

TEST(Bootstrap, without_groups_nothing_is_known) {
  const Interval interval = bootstrap_mean({});
  EXPECT_FALSE(interval.known);
  EXPECT_FALSE(interval.is_positive() || interval.is_negative());
}

TEST(Bootstrap, repeats) {
  const std::vector<std::vector<double>> groups = {{0.1, 0.7, 0.3}, {0.2, 0.9}, {0.5, 0.4, 0.8}};
  const Interval a = bootstrap_mean(groups), b = bootstrap_mean(groups);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
}

}  // namespace
}  // namespace dowser
