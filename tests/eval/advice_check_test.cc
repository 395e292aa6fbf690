#include "eval/advice_check.h"

#include <gtest/gtest.h>

#include "tests/eval/made_web.h"

namespace dowser {
namespace {

AdviceCheck check(double remaining, size_t truth, double low = 0, double high = 0) {
  AdviceCheck check;
  check.advice.remaining = remaining;
  check.advice.low = low;
  check.advice.high = high;
  check.truth = truth;
  return check;
}

TEST(AdviceCheck, a_factor_of_two_is_the_same_in_both_directions) {
  EXPECT_TRUE(check(10, 20).is_within_two());
  EXPECT_TRUE(check(20, 10).is_within_two());
  EXPECT_FALSE(check(9.9, 20).is_within_two());
  EXPECT_FALSE(check(20.1, 10).is_within_two());
  EXPECT_TRUE(check(0.4, 0).is_within_two()) << "what would be printed as 0";
  EXPECT_FALSE(check(0.6, 0).is_within_two());
  EXPECT_TRUE(check(1, 0).is_within_two_of_one_more());
  EXPECT_FALSE(check(1.1, 0).is_within_two_of_one_more());
}

TEST(AdviceCheck, the_truth_may_stand_on_the_bounds) {
  EXPECT_TRUE(check(10, 5, 5, 20).is_covered());
  EXPECT_TRUE(check(10, 20, 5, 20).is_covered());
  EXPECT_FALSE(check(10, 4, 5, 20).is_covered());
  EXPECT_FALSE(check(10, 21, 5, 20).is_covered());
}

TEST(AdviceCheck, a_target_counts_once_and_examples_never) {
  Draw draw;
  draw.is_target = {1, 0, 1, 1, 1};
  draw.reachable = 3;
  const std::vector<HeldWeb::Node> pages = {0, 1, 0, HeldWeb::kNone, 2};
  const std::vector<AdviceTaken> taken = {{1, {}}, {4, {}}, {5, {}}};
  const std::vector<AdviceCheck> checks = check_advice(taken, pages, draw);
  ASSERT_EQ(checks.size(), 3u);
  EXPECT_EQ(checks[0].truth, 2u);
  EXPECT_EQ(checks[1].truth, 2u);
  EXPECT_EQ(checks[2].truth, 1u);
}

TEST(AdviceScore, is_the_share_of_the_checks) {
  AdviceScore score;
  for (const AdviceCheck& one :
       {check(10, 10, 5, 20), check(10, 15, 5, 20), check(10, 21, 5, 20), check(1.9, 0.0, 1, 5)}) {
    score.add(one);
  }
  EXPECT_EQ(score.checks, 4u);
  EXPECT_DOUBLE_EQ(score.within_two, 0.5);
  EXPECT_DOUBLE_EQ(score.covered, 0.5);
}

TEST(Course, a_crawl_is_asked_for_advice_at_a_quarter_a_half_and_three_quarters) {
  std::vector<HeldWeb::Answer> answers;
  for (int i = 0; i < 500; ++i) {
    const auto name = [](int page) { return std::to_string(page) + ".html"; };
    answers.push_back(made_page(
        name(i), (i < 80 ? "<p>a bird" : "<p>a stone") + links_to({name(i + 1), name(i + 2)})));
  }
  const HeldWeb web(std::move(answers));
  CourseOptions options;
  options.budget = 440;
  const Course course = run_made_course(web, nodes(web, {"0.html"}), "breadth-first", options);
  ASSERT_EQ(course.advice.size(), 3u);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(course.advice[i].fetched, 110 * (i + 1));
  EXPECT_GT(course.advice[0].advice.remaining, course.advice[2].advice.remaining);
}

}  // namespace
}  // namespace dowser
