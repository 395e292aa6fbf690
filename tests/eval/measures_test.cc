#include "eval/measures.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

constexpr HeldWeb::Node kNone = HeldWeb::kNone;

// Of six pages, 1, 3 and 5 are wanted, and all can be reached.
Draw wanted_135() {
  Draw draw;
  draw.is_target = {0, 1, 0, 1, 0, 1};
  draw.reachable = 3;
  return draw;
}

// Fetches 2 and 5 bring a target; 4 brings the first again, 3 brings nothing.
const Course kCourse{{0, 1, kNone, 1, 3, 2}, Duration(0)};

TEST(Measures, curve_points_are_round_numbers_and_a_hundred_even_steps) {
  EXPECT_EQ(curve_points(1), std::vector<uint32_t>{1});
  EXPECT_EQ(curve_points(5), (std::vector<uint32_t>{1, 2, 3, 4, 5}));
  const std::vector<uint32_t> points = curve_points(1050);
  EXPECT_EQ(points.size(), 100u + 6) << "and 20, 50, 100, 200, 500, 1000, less those of both";
  EXPECT_EQ(points.front(), 10u);
  EXPECT_EQ(points.back(), 1050u);
  for (const uint32_t point : {10u, 20u, 21u, 31u, 50u, 100u, 500u, 525u, 1000u, 1039u}) {
    EXPECT_TRUE(std::binary_search(points.begin(), points.end(), point)) << point;
  }
  EXPECT_EQ(std::adjacent_find(points.begin(), points.end(), std::greater_equal<>()), points.end());
}

TEST(Measures, a_target_counts_once) {
  const std::vector<uint32_t> points = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(found_curve(kCourse, wanted_135(), points), (std::vector<uint32_t>{0, 1, 1, 1, 2, 2}));
}

TEST(Measures, a_crawl_that_ended_early_stays_where_it_was) {
  const std::vector<uint32_t> points = {2, 5, 10, 100};
  EXPECT_EQ(found_curve(kCourse, wanted_135(), points), (std::vector<uint32_t>{1, 2, 2, 2}));
  EXPECT_EQ(found_curve({}, wanted_135(), points), (std::vector<uint32_t>{0, 0, 0, 0}));
}

TEST(Measures, area_is_the_sum_of_what_was_found_until_each_fetch) {
  EXPECT_EQ(area_of(kCourse, wanted_135(), 6), 0 + 1 + 1 + 1 + 2 + 2);
  EXPECT_EQ(area_of(kCourse, wanted_135(), 10), 0 + 1 + 1 + 1 + 2 + 2 + 4 * 2);
  EXPECT_EQ(area_of({}, wanted_135(), 10), 0);
}

TEST(Measures, search_length_is_the_fetches_until_a_share_was_found) {
  const Draw draw = wanted_135();
  EXPECT_EQ(search_length(kCourse, draw, 0.25), 2u) << "a quarter of three is one";
  EXPECT_EQ(search_length(kCourse, draw, 1 / 3.0), 2u) << "exactly one";
  EXPECT_EQ(search_length(kCourse, draw, 0.5), 5u) << "half of three is two";
  EXPECT_EQ(search_length(kCourse, draw, 0.75), std::nullopt);
}

TEST(Measures, overlap_is_what_both_found_of_what_either_found) {
  const Draw draw = wanted_135();
  const Course other{{3, 5, 4}, Duration(0)};
  EXPECT_DOUBLE_EQ(overlap_of(kCourse, other, draw), 1 / 3.0);  // {1, 3} and {3, 5}
  EXPECT_DOUBLE_EQ(overlap_of(kCourse, kCourse, draw), 1);
  EXPECT_DOUBLE_EQ(overlap_of(kCourse, {}, draw), 0);
  EXPECT_DOUBLE_EQ(overlap_of({}, {}, draw), 0);
}

TEST(Measures, the_mean_is_over_the_pages_that_came_back) {
  const std::vector<double> worth = {1, 2, 4, 8, 16, 32};
  EXPECT_DOUBLE_EQ(mean_over(kCourse, worth), (1 + 2 + 2 + 8 + 4) / 5.0);
  EXPECT_DOUBLE_EQ(mean_over({{kNone}, Duration(0)}, worth), 0);
}

TEST(Measures, the_moving_average_looks_back_a_window_of_fetches) {
  const std::vector<double> worth = {1, 2, 4, 8, 16, 32};
  const std::vector<uint32_t> points = {1, 2, 3, 5, 6, 9};
  const std::vector<double> expected = {
      1, (1 + 2) / 2.0, (2 + 0) / 2.0, (2 + 8) / 2.0, (8 + 4) / 2.0, (8 + 4) / 2.0};
  EXPECT_EQ(moving_average(kCourse, worth, points, 2), expected);
  EXPECT_EQ(moving_average({}, worth, points, 2), std::vector<double>(6, 0.0));
}

}  // namespace
}  // namespace dowser
