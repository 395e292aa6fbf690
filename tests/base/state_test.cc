#include "base/state.h"

#include <gtest/gtest.h>

#include <map>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

std::vector<std::string> keys(const State& state, std::string_view prefix) {
  std::vector<std::string> found;
  EXPECT_TRUE(
      state.scan(prefix, [&](std::string_view key, std::string_view) { found.emplace_back(key); })
          .ok());
  return found;
}

TEST(State, what_was_committed_is_there_after_opening_again_and_what_was_not_is_gone) {
  const TempDir folder;
  {
    auto state = State::open(folder / "state");
    ASSERT_TRUE(state.ok()) << state.error().message;
    (*state)->put("a1", "one");
    (*state)->put("a2", "two");
    ASSERT_TRUE((*state)->commit().ok());
    (*state)->erase("a1");
    (*state)->put("a3", "three");
    ASSERT_TRUE((*state)->commit().ok());
    (*state)->put("a4", "four");
  }
  auto state = State::open(folder / "state");
  ASSERT_TRUE(state.ok()) << state.error().message;
  EXPECT_EQ(*(*state)->get("a1"), std::nullopt);
  EXPECT_EQ(*(*state)->get("a2"), "two");
  EXPECT_EQ(keys(**state, "a"), (std::vector<std::string>{"a2", "a3"}));
}

TEST(State, one_that_must_be_there_is_never_made_anew) {
  const TempDir folder;
  {
    auto state = State::open(folder / "state");
    ASSERT_TRUE(state.ok());
    (*state)->put("a", "1");
    ASSERT_TRUE((*state)->commit().ok());
  }
  std::filesystem::rename(folder / "state/CURRENT", folder / "CURRENT");
  EXPECT_FALSE(State::open_existing(folder / "state").ok());
  EXPECT_FALSE(State::open_existing(folder / "none").ok());
  std::filesystem::rename(folder / "CURRENT", folder / "state/CURRENT");
  auto state = State::open_existing(folder / "state");
  ASSERT_TRUE(state.ok()) << state.error().message;
  EXPECT_EQ(*(*state)->get("a"), "1");
}

TEST(State, batches_that_are_appended_are_made_in_their_order) {
  const TempDir folder;
  auto state = State::open(folder.path());
  ASSERT_TRUE(state.ok());
  StateBatch first, second, all;
  first.put("a", "1");
  first.put("b", "1");
  second.erase("a");
  second.put("b", "2");
  all.append(first);
  all.append(second);
  ASSERT_TRUE((*state)->commit(std::move(all)).ok());
  EXPECT_EQ(*(*state)->get("a"), std::nullopt);
  EXPECT_EQ(*(*state)->get("b"), "2");
}

TEST(State, a_scan_sees_the_keys_of_its_prefix_only_in_order) {
  const TempDir folder;
  auto state = State::open(folder.path());
  ASSERT_TRUE(state.ok());
  for (const char* key : {"b", "ab", "aa", "a\xff", "c"}) (*state)->put(key, "");
  ASSERT_TRUE((*state)->commit().ok());
  EXPECT_EQ(keys(**state, "a"), (std::vector<std::string>{"aa", "ab", "a\xff"}));
  EXPECT_EQ(keys(**state, "x"), std::vector<std::string>{});
}

TEST(State, opened_for_reading_it_changes_no_file_and_makes_none) {
  const TempDir folder;
  {
    auto state = State::open(folder / "state");
    (*state)->put("a1", "one");
    ASSERT_TRUE((*state)->commit().ok());
  }
  std::map<std::string, std::string> before, after;
  const auto look = [&](std::map<std::string, std::string>& files) {
    for (const auto& entry : std::filesystem::directory_iterator(folder / "state")) {
      files[entry.path().filename()] = *read_file(entry.path());
    }
  };
  look(before);
  {
    auto state = State::open_read_only(folder / "state");
    ASSERT_TRUE(state.ok()) << state.error().message;
    EXPECT_EQ(*(*state)->get("a1"), "one");
    (*state)->put("a2", "two");
    EXPECT_FALSE((*state)->commit().ok());
    EXPECT_FALSE((*state)->sync().ok());
  }
  EXPECT_FALSE(State::log_is_damaged(folder / "state"));
  look(after);
  EXPECT_EQ(before, after);
  EXPECT_FALSE(State::open_read_only(folder / "nowhere").ok());
  EXPECT_FALSE(std::filesystem::exists(folder / "nowhere"));
}

TEST(State, a_damaged_log_is_told_from_one_whose_end_is_torn) {
  const TempDir folder;
  {
    auto state = State::open(folder / "state");
    for (int i = 0; i < 20; ++i) {
      (*state)->put("a" + std::to_string(i), std::string(3000, 'x'));
      ASSERT_TRUE((*state)->commit().ok());
    }
  }
  std::filesystem::path log;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "state")) {
    if (entry.path().extension() == ".log") log = entry.path();
  }
  std::string bytes = *read_file(log);
  ASSERT_TRUE(put_file(log, bytes.substr(0, bytes.size() - 1000)).ok());
  EXPECT_FALSE(State::log_is_damaged(folder / "state"));
  bytes[bytes.size() / 3] ^= 1;
  ASSERT_TRUE(put_file(log, bytes).ok());
  EXPECT_TRUE(State::log_is_damaged(folder / "state"));
}

TEST(State, two_at_a_time_are_refused_with_a_sentence) {
  const TempDir folder;
  auto first = State::open(folder.path());
  ASSERT_TRUE(first.ok());
  auto second = State::open(folder.path());
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message.find("in use by another dowser"), std::string::npos)
      << second.error().message;
}

}  // namespace
}  // namespace dowser
