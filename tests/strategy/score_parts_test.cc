#include "strategy/score_parts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/random.h"

namespace dowser {
namespace {

constexpr std::string_view kNames[] = {"anchor", "context", "url",       "page",  "hub",
                                       "near",   "tag",     "directory", "model", "topic"};

// The sum of the terms of a text: the numbers before the facts.
double sum_of_terms(std::string_view text) {
  text = text.substr(0, text.find('('));
  double sum = 0;
  for (size_t at = text.find('='); at != text.npos; at = text.find('=', at + 1)) {
    sum += std::strtod(text.data() + at + 1, nullptr);
  }
  return sum;
}

TEST(ScoreParts, terms_come_first_and_facts_stand_in_parentheses) {
  const ScorePart page{"page", 0.3}, anchor{"anchor", 0.2}, layer{"layer", 2, ScorePart::kFact};
  EXPECT_EQ(parts_text(Score(0.5), std::vector{page, anchor}), "page=0.3 anchor=0.2");
  EXPECT_EQ(parts_text(Score(0.5), std::vector{layer, page, anchor}),
            "page=0.3 anchor=0.2 (layer=2)");
  EXPECT_EQ(parts_text(Score(0.5), std::vector{layer}), "(layer=2)");
  EXPECT_EQ(parts_text(Score(0.5), {}), "");
}

TEST(ScoreParts, small_terms_are_shown_together_as_other) {
  const std::vector<ScorePart> parts = {
      {"page", 0.3}, {"hub", 0.004}, {"near", 0.003}, {"url", -0.002}};
  EXPECT_EQ(parts_text(Score(0.305), parts), "page=0.3 other=0.005");
  EXPECT_EQ(parts_text(Score(0.001), std::vector<ScorePart>{{"page", 0.001}}), "page=0.001");
}

TEST(ScoreParts, what_is_no_sum_has_no_terms) {
  const std::vector<ScorePart> parts = {{"page", 0.3}, {"layer", 2, ScorePart::kFact}};
  EXPECT_EQ(parts_text(Score::last(), parts), "(layer=2)");
  EXPECT_EQ(parts_text(Score::seed(), parts), "(layer=2)");
}

TEST(ScoreParts, the_terms_that_are_shown_add_up_in_ten_thousand_scores) {
  Random random(33);
  for (int i = 0; i < 10'000; ++i) {
    std::vector<ScorePart> parts;
    double score = 0, largest = 1;
    for (const std::string_view name : kNames) {
      if (random.below(3) == 0) continue;
      // From far below what is shown to far above what a strategy gives.
      const double size = std::pow(10.0, 8 * random.uniform() - 6);
      const double value = random.below(4) == 0 ? -size : size;
      parts.push_back({name, value});
      score += value;
      largest = std::max(largest, size);
      if (random.below(5) == 0) parts.push_back({"layer", value, ScorePart::kFact});
    }
    if (score == 0) continue;
    const std::string text = parts_text(Score(score), parts);
    ASSERT_NEAR(sum_of_terms(text), score, kSumError * largest) << text;
  }
}

}  // namespace
}  // namespace dowser
