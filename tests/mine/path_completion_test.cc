#include "mine/path_completion.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "base/compress.h"
#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

// "A BA CB DA": B from A, C from B, D from A. The completed path in letters, those put in small.
std::string completed(const std::string& text, const std::set<std::string>& links = {}) {
  std::vector<SessionView> views;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    SessionView view;
    view.page = static_cast<uint32_t>(word[0] - 'A');
    if (word.size() > 1) {
      view.from = word[1] == '*' ? CameFrom::kOutside : CameFrom::kPage;
      if (word[1] != '*') view.from_page = static_cast<uint32_t>(word[1] - 'A');
    }
    views.push_back(view);
  }
  const auto test = [&](uint32_t from, uint32_t to) {
    return links.contains({static_cast<char>('A' + from), static_cast<char>('A' + to)});
  };
  std::string path;
  for (const SessionView& view : complete_path(views, test, !links.empty())) {
    path += static_cast<char>((view.inferred ? 'a' : 'A') + view.page);
  }
  return path;
}

TEST(PathCompletion, goes_back_step_by_step_to_the_referrer) {
  EXPECT_EQ(completed("A BA CB DC"), "ABCD");
  EXPECT_EQ(completed("A BA CA"), "ABaC");
  EXPECT_EQ(completed("A BA CB DA"), "ABCbaD");
  // What was left by "back" is no longer on the way: from D it is one step to A.
  EXPECT_EQ(completed("A BA CA DA"), "ABaCaD");
}

TEST(PathCompletion, finds_the_shortest_way_to_a_page_that_back_does_not_reach) {
  // B was left; from C one goes back to A and follows the link to B again.
  EXPECT_EQ(completed("A BA CA DB"), "ABaCabD");
  // The site's links may know a shorter way than the session: C links to B itself.
  EXPECT_EQ(completed("A BA CA DB", {"CB"}), "ABaCbD");
}

TEST(PathCompletion, puts_in_a_referrer_that_was_cached_before_the_session) {
  EXPECT_EQ(completed("A CB"), "AbC");
}

TEST(PathCompletion, explains_a_missing_referrer_only_by_links_of_the_site) {
  EXPECT_EQ(completed("A BA C"), "ABC");
  EXPECT_EQ(completed("A BA C", {"AB", "AC"}), "ABaC");
  EXPECT_EQ(completed("A BA C", {"AB", "BC", "AC"}), "ABC");
}

TEST(PathCompletion, leaves_jumps_and_reloads_as_they_are) {
  EXPECT_EQ(completed("A B C*"), "ABC");
  EXPECT_EQ(completed("A BA BA"), "ABB");
  EXPECT_EQ(completed(""), "");
}

// What a log would hold of a person's clicks: every page once, with the page before as referrer.
struct Clicks {
  std::vector<SessionView> log;
  std::vector<uint32_t> path;  // what the person saw
  size_t trailing_backs = 0;   // after the last page that was asked for
  bool second_click = false;
};

Clicks read_clicks(const std::string& text, std::map<std::string, uint32_t>& numbers) {
  Clicks clicks;
  std::vector<uint32_t> history;
  std::set<uint32_t> seen;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "<") {
      if (history.size() > 1) history.pop_back();
      clicks.path.push_back(history.back());
      ++clicks.trailing_backs;
      continue;
    }
    const uint32_t page = numbers.try_emplace(word, numbers.size()).first->second;
    clicks.path.push_back(page);
    if (seen.insert(page).second) {
      SessionView view;
      view.page = page;
      view.from = history.empty() ? CameFrom::kNowhere : CameFrom::kPage;
      view.from_page = history.empty() ? kNoPage : history.back();
      clicks.log.push_back(view);
      clicks.trailing_backs = 0;
    } else {
      clicks.second_click = true;
    }
    history.push_back(page);
  }
  return clicks;
}

TEST(PathCompletion, restores_sessions_of_people_from_what_a_log_would_hold_of_them) {
  const auto file = test_data("schools-sessions.tsv.gz");
  if (!file) GTEST_SKIP() << kNoData;
  const auto packed = read_file(*file);
  const auto text = gunzip_member(*packed, 100 << 20);
  ASSERT_TRUE(text.ok());
  std::istringstream lines(text->bytes);
  std::string line;
  std::getline(lines, line);
  size_t sessions = 0, without_second = 0, restored = 0, backs_at_the_end = 0, all_restored = 0;
  std::map<std::string, uint32_t> numbers;
  while (std::getline(lines, line)) {
    Clicks clicks = read_clicks(line.substr(line.rfind('\t') + 1), numbers);
    ++sessions;
    const auto path = complete_path(
        clicks.log, [](uint32_t, uint32_t) { return false; }, false);
    std::vector<uint32_t> pages;
    for (const SessionView& view : path) pages.push_back(view.page);
    // Nothing in a log tells of a "back" behind the last request.
    backs_at_the_end += !clicks.second_click && clicks.trailing_backs > 0;
    clicks.path.resize(clicks.path.size() - clicks.trailing_backs);
    const bool same = pages == clicks.path;
    all_restored += same;
    if (clicks.second_click) continue;
    ++without_second;
    restored += same;
  }
  EXPECT_EQ(sessions, 13'882u);
  EXPECT_EQ(without_second, 12'542u);
  EXPECT_EQ(restored, without_second);
  RecordProperty("ending_with_back", std::to_string(backs_at_the_end));
  RecordProperty("restored_of_all", std::to_string(all_restored));
  std::printf(
      "restored %zu of %zu without a second click (%zu of them end with a back that leaves "
      "no trace), %zu of all %zu\n",
      restored, without_second, backs_at_the_end, all_restored, sessions);
}

}  // namespace
}  // namespace dowser
