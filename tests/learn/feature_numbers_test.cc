#include "learn/feature_numbers.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"

namespace dowser {
namespace {

TEST(FeatureNumbers, known_indexes_have_numbers_by_rising_index_and_others_none) {
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    // Close together, all over, and with the same low bits.
    const uint32_t step = round % 3 == 0 ? 1 : round % 3 == 1 ? 65'537 : 1u << 20;
    std::vector<uint32_t> indexes;
    std::set<uint32_t> known;
    for (uint64_t i = random.below(300); i > 0; --i) {
      indexes.push_back(static_cast<uint32_t>(random.below(400)) * step);
      known.insert(indexes.back());
    }
    const FeatureNumbers numbers(indexes);
    ASSERT_EQ(numbers.size(), known.size());
    uint32_t next = 0;
    for (const uint32_t index : known) EXPECT_EQ(numbers.number(index), next++);
    for (uint32_t i = 0; i < 400; ++i) {
      if (known.contains(i * step)) continue;
      EXPECT_EQ(numbers.number(i * step), FeatureNumbers::kNone);
    }
  }
}

TEST(FeatureNumbers, without_indexes_nothing_is_known) {
  EXPECT_EQ(FeatureNumbers().number(0), FeatureNumbers::kNone);
  EXPECT_EQ(FeatureNumbers(std::vector<uint32_t>{}).number(7), FeatureNumbers::kNone);
}

}  // namespace
}  // namespace dowser
