#include "mine/session_builder.h"

#include <gtest/gtest.h>

#include <set>

namespace dowser {
namespace {

// Pages are letters. A request is written "B<A @70": page B from page A, at 70 seconds; "B @70" has
// no referrer, "B<* @70" came from another site.
PageRequest request(std::string_view text, uint64_t user = 1) {
  PageRequest r;
  r.user = user;
  r.page = static_cast<uint32_t>(text[0] - 'A');
  if (text[1] == '<') {
    r.from = text[2] == '*' ? CameFrom::kOutside : CameFrom::kPage;
    if (text[2] != '*') r.from_page = static_cast<uint32_t>(text[2] - 'A');
  }
  r.time = 1'000'000 + std::atoi(std::string(text.substr(text.find('@') + 1)).c_str());
  return r;
}

struct Site {
  std::set<std::string> links, frames;  // "AB": A links to B
  bool known = false;
};

// The sessions, as "AB C": one word each, in the order of their first requests.
std::string sessions(SessionRules rules, const std::vector<std::string>& requests,
                     const Site& site = {}, uint64_t* split = nullptr) {
  std::vector<std::pair<int64_t, std::string>> found;
  const auto test = [](const std::set<std::string>& pairs) {
    return [&pairs](uint32_t from, uint32_t to) {
      return pairs.contains({static_cast<char>('A' + from), static_cast<char>('A' + to)});
    };
  };
  SessionBuilder builder(rules, {site.known, test(site.links), test(site.frames)},
                         [&](UsageSession&& session) {
                           std::string word;
                           for (const SessionView& view : session.views) {
                             word += static_cast<char>('A' + view.page);
                           }
                           found.emplace_back(session.start(), word);
                         });
  int64_t last = 0;
  for (const std::string& text : requests) {
    builder.add(request(text));
    last = std::max(last, request(text).time);
    builder.sweep(request(text).time);
  }
  builder.finish();
  EXPECT_EQ(builder.open(), 0u);
  if (split) *split = builder.split_users();
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string words;
  for (const auto& [time, word] : found) words += (words.empty() ? "" : " ") + word;
  return words;
}

const SessionRules kTotal{1800, {}, {}}, kStay{{}, 600, {}}, kReferrer{{}, {}, 10};

TEST(SessionBuilder, the_total_rule_ends_a_session_after_thirty_minutes) {
  EXPECT_EQ(sessions(kTotal, {"A @0", "B<A @900", "C<B @1800", "D<C @1801"}), "ABC D");
}

TEST(SessionBuilder, the_stay_rule_ends_a_session_after_ten_minutes_on_a_page) {
  EXPECT_EQ(sessions(kStay, {"A @0", "B<A @600", "C<B @1200", "D<C @1801"}), "ABC D");
}

TEST(SessionBuilder, the_referrer_rule_needs_a_page_of_the_session) {
  // Hours do not matter; a referrer from elsewhere or none does.
  EXPECT_EQ(sessions(kReferrer, {"A @0", "B<A @5000", "C<A @9000"}), "ABC");
  EXPECT_EQ(sessions(kReferrer, {"A @0", "B<* @5"}), "A B");
  EXPECT_EQ(sessions(kReferrer, {"A @0", "B<Z @5"}), "A B");
  EXPECT_EQ(sessions(kReferrer, {"A @0", "B @10", "C @21"}), "AB C");
}

TEST(SessionBuilder, by_the_referrer_rule_two_sessions_may_go_on_side_by_side) {
  EXPECT_EQ(sessions(kReferrer, {"A @0", "M<* @20", "B<A @30", "N<M @40", "C<B @50"}), "ABC MN");
}

TEST(SessionBuilder, the_first_of_several_rules_that_applies_ends_a_session) {
  const SessionRules both{1800, 600, {}};
  EXPECT_EQ(sessions(both, {"A @0", "B @700"}), "A B");
  EXPECT_EQ(sessions(both, {"A @0", "B @500", "C @1000", "D @1500", "E @1900"}), "ABCD E");
}

TEST(SessionBuilder, requests_within_a_second_of_the_page_they_come_from_are_its_frames) {
  EXPECT_EQ(sessions(kStay, {"A @0", "B<A @0", "C<A @1", "D<A @2"}), "AD");
  // Not what the page does not refer to.
  EXPECT_EQ(sessions(kStay, {"A @0", "B @0"}), "AB");
}

TEST(SessionBuilder, where_links_are_known_frames_are_those_of_the_site) {
  const Site site{{"AB", "AC"}, {"AC"}, true};
  EXPECT_EQ(sessions(kStay, {"A @0", "B<A @1", "C<B @2"}, site), "ABC");
  EXPECT_EQ(sessions(kStay, {"A @0", "C<A @3", "B<A @9"}, site), "AB");
}

TEST(SessionBuilder, people_behind_one_address_are_told_apart_by_what_they_could_not_click) {
  // N comes from M, which nobody has seen, and neither A nor B links to it.
  const Site site{{"AB", "BC", "MN"}, {}, true};
  uint64_t split = 0;
  EXPECT_EQ(sessions(kStay, {"A @0", "B<A @20", "N<M @30", "C<B @40"}, site, &split), "ABC N");
  EXPECT_EQ(split, 1u);
  // A page that a seen page links to may be asked for with any referrer.
  EXPECT_EQ(sessions(kStay, {"A @0", "B<M @20"}, site, &split), "AB");
  EXPECT_EQ(split, 0u);
  // Without links nobody can tell.
  EXPECT_EQ(sessions(kStay, {"A @0", "B<A @20", "N<M @30", "C<B @40"}), "ABNC");
}

TEST(SessionBuilder, when_a_clock_is_set_back_sessions_end_and_nothing_is_lost) {
  EXPECT_EQ(sessions(kStay, {"A @10000", "B<A @10050", "C<B @100", "D<C @200"}), "CD AB");
  EXPECT_EQ(sessions(kStay, {"A @100", "B<A @150", "C<B @130"}), "ABC");
}

}  // namespace
}  // namespace dowser
