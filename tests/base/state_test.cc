#include "base/state.h"

#include <gtest/gtest.h>

#include "tests/support.h"

namespace dowser {
namespace {

std::vector<std::string> keys(const State& state, std::string_view prefix) {
  std::vector<std::string> found;
  state.scan(prefix, [&](std::string_view key, std::string_view) { found.emplace_back(key); });
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
  EXPECT_EQ((*state)->get("a1"), std::nullopt);
  EXPECT_EQ((*state)->get("a2"), "two");
  EXPECT_EQ(keys(**state, "a"), (std::vector<std::string>{"a2", "a3"}));
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
