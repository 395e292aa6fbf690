#include "base/growing_array.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace dowser {
namespace {

TEST(GrowingArray, holds_what_a_vector_would) {
  struct Row {
    uint32_t number = 7;
    float value = 0;
  };
  GrowingArray<Row> rows;
  std::vector<uint32_t> expected;
  Random random(1);
  while (expected.size() < 100'000) {
    const uint64_t action = random.below(3);
    const auto number = static_cast<uint32_t>(random.below(1000));
    if (action == 0) {
      EXPECT_EQ(rows.emplace_back().number, 7u);
      expected.push_back(7);
    } else if (action == 1) {
      rows.push_back({number, 0});
      expected.push_back(number);
    } else {
      const std::vector<Row> more(random.below(50), Row{number, 1});
      rows.append(more);
      expected.insert(expected.end(), more.size(), number);
    }
  }
  ASSERT_EQ(rows.size(), expected.size());
  EXPECT_GE(rows.capacity(), rows.size());
  size_t i = 0;
  for (const Row& row : rows) ASSERT_EQ(row.number, expected[i++]);
  EXPECT_EQ(rows.back().number, expected.back());
}

TEST(GrowingArray, may_be_given_one_of_its_own_rows) {
  GrowingArray<int> rows;
  rows.push_back(3);
  for (int i = 0; i < 1000; ++i) rows.push_back(rows[0]);
  for (const int row : rows) EXPECT_EQ(row, 3);
}

TEST(GrowingArray, is_empty_after_it_was_moved_from) {
  GrowingArray<int> rows;
  rows.push_back(3);
  GrowingArray<int> other = std::move(rows);
  EXPECT_EQ(other.size(), 1u);
  EXPECT_EQ(rows.size(), 0u);
  rows = std::move(other);
  EXPECT_EQ(rows[0], 3);
}

}  // namespace
}  // namespace dowser
