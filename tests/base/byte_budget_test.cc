#include "base/byte_budget.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

TEST(ByteBudget, what_is_taken_is_missing_until_it_is_given_back) {
  ByteBudget budget(100);
  std::optional<ByteLease> first = budget.take(60);
  ASSERT_TRUE(first);
  EXPECT_FALSE(budget.take(41));
  EXPECT_TRUE(budget.take(40));  // and given back at once
  first.reset();
  EXPECT_EQ(budget.used(), 0U);
}

TEST(ByteBudget, a_part_can_be_given_back) {
  ByteBudget budget(100);
  std::optional<ByteLease> lease = budget.take(100);
  lease->shrink_to(30);
  EXPECT_EQ(budget.used(), 30U);
  EXPECT_TRUE(budget.take(70));
}

TEST(ByteBudget, what_is_larger_than_all_of_it_gets_it_alone) {
  ByteBudget budget(100);
  {
    const std::optional<ByteLease> one = budget.take(1);
    EXPECT_FALSE(budget.take(500));
  }
  const std::optional<ByteLease> large = budget.take(500);
  ASSERT_TRUE(large);
  EXPECT_FALSE(budget.take(1));
}

TEST(ByteBudget, a_lease_may_outlive_it_and_is_given_back_once) {
  std::optional<ByteLease> kept;
  {
    ByteBudget budget(10);
    kept = budget.take(10);
    ByteLease moved = std::move(*kept);
    kept->shrink_to(0);
    EXPECT_EQ(budget.used(), 10U);
    *kept = std::move(moved);
    EXPECT_EQ(budget.used(), 10U);
  }
  kept.reset();
}

}  // namespace
}  // namespace dowser
