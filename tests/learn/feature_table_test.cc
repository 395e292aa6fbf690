#include "learn/feature_table.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"

namespace dowser {
namespace {

struct Weight {
  int value = 0;
  bool is_unknown() const { return value == 0; }
};

TEST(FeatureTable, features_have_what_was_given_and_others_nothing) {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    // Close together, all over, and with the same low bits.
    const uint32_t step = round % 3 == 0 ? 1 : round % 3 == 1 ? 65'537 : 1u << 20;
    std::map<uint32_t, int> known;
    for (uint64_t i = random.below(300); i > 0; --i) {
      known[static_cast<uint32_t>(random.below(400)) * step] = 1 + static_cast<int>(i);
    }
    FeatureTable<Weight> table(known.size());
    for (const auto& [feature, value] : known) table.add(feature, {value});
    for (uint32_t i = 0; i < 400; ++i) {
      const auto it = known.find(i * step);
      table.expect(i * step);
      EXPECT_EQ(table[i * step].value, it == known.end() ? 0 : it->second);
    }
  }
}

TEST(FeatureTable, an_empty_one_knows_nothing) {
  const FeatureTable<Weight> table;
  EXPECT_TRUE(table[0].is_unknown());
  EXPECT_TRUE(table[7].is_unknown());
}

}  // namespace
}  // namespace dowser
