#include <gtest/gtest.h>

#include "strategy/strategy.h"
#include "tests/strategy/contracts.h"
#include "tests/strategy/written_visit.h"

namespace dowser {
namespace {

const Topic kTopic;

std::unique_ptr<Strategy> make(const std::string& text) {
  auto made = make_fish_search(*Spec::parse(text), {kTopic});
  EXPECT_TRUE(made.ok());
  return std::move(*made);
}

// The links lead to pages of these names, in this order.
Visit visit(uint32_t id, std::optional<uint32_t> parent, bool relevant, std::string_view names) {
  std::string text;
  for (const char name : names) {
    text += std::string("[") + name + "|http://w.test/" + name + "] ";
  }
  return written_visit(id, parent, relevant ? 1 : 0, written_page("http://w.test/", text));
}

std::vector<double> potential_scores(Strategy& fish, const Visit& visit) {
  fish.learn(visit);
  std::vector<double> scores;
  for (const Link& link : visit.page.links) {
    const auto score = fish.score(visit, link);
    scores.push_back(score ? score->value() : -1);
  }
  return scores;
}

using Scores = std::vector<double>;

TEST(FishSearch, the_first_children_of_a_relevant_page_have_1_those_of_others_a_half_the_rest_0) {
  auto fish = make("fish-search(width=2)");
  EXPECT_EQ(potential_scores(*fish, visit(0, {}, true, "abcde")), (Scores{1, 1, 1, 0, 0}));
  EXPECT_EQ(potential_scores(*fish, visit(1, 0, false, "abcde")), (Scores{0.5, 0.5, 0, 0, 0}));
}

TEST(FishSearch, a_child_that_the_page_repeats_counts_once) {
  auto fish = make("fish-search(width=2)");
  EXPECT_EQ(potential_scores(*fish, visit(0, {}, false, "aaabc")), (Scores{0.5, 0.5, 0.5, 0.5, 0}));
}

TEST(FishSearch, children_of_a_later_page_go_before_those_of_an_earlier_one) {
  auto fish = make("fish-search");
  const Visit first = visit(0, {}, true, "a"), second = visit(1, 0, true, "b"),
              bad = visit(2, 1, false, "c");
  fish->learn(first);
  const Score of_first = *fish->score(first, first.page.links[0]);
  fish->learn(second);
  const Score of_second = *fish->score(second, second.page.links[0]);
  fish->learn(bad);
  const Score of_bad = *fish->score(bad, bad.page.links[0]);
  EXPECT_GT(of_second, of_first);
  EXPECT_GT(of_first, of_bad);
}

TEST(FishSearch, links_are_not_offered_where_the_depth_is_used_up) {
  auto fish = make("fish-search(depth=1)");
  EXPECT_EQ(potential_scores(*fish, visit(0, {}, false, "a")), Scores{0.5});  // a seed has 1
  EXPECT_EQ(potential_scores(*fish, visit(1, 0, false, "a")), Scores{-1});    // 0
  EXPECT_EQ(potential_scores(*fish, visit(2, 0, true, "a")), Scores{-1});     // 0
  EXPECT_EQ(potential_scores(*fish, visit(3, {}, true, "a")), Scores{1});     // 1
  EXPECT_EQ(potential_scores(*fish, visit(4, 3, false, "a")), Scores{0.5});   // 1 again
  EXPECT_EQ(potential_scores(*fish, visit(5, 4, false, "a")), Scores{-1});    // 0
}

TEST(FishSearch, goes_on_with_what_was_saved) {
  auto before = make("fish-search(depth=1)");
  before->learn(visit(0, {}, true, ""));
  before->learn(visit(1, {}, false, ""));
  ByteWriter saved;
  saves(*before).save(saved);
  auto after = make("fish-search(depth=1)");
  ByteReader in(saved.bytes());
  ASSERT_TRUE(saves(*after).load(in).ok());
  EXPECT_EQ(potential_scores(*after, visit(2, 0, false, "a")), Scores{0.5});
  EXPECT_EQ(potential_scores(*after, visit(3, 1, false, "a")), Scores{-1});
}

TEST(FishSearch, refuses_a_width_or_depth_of_nothing) {
  EXPECT_FALSE(make_fish_search(*Spec::parse("fish-search(width=0)"), {kTopic}).ok());
  EXPECT_FALSE(make_fish_search(*Spec::parse("fish-search(depth=0)"), {kTopic}).ok());
}

}  // namespace
}  // namespace dowser
