#include "learn/bm25.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/random.h"

namespace dowser {
namespace {

TEST(Bm25, gives_the_numbers_of_its_formula) {
  // Words 3 and 7, of rarity 2 and 1; documents have 10 words on average.
  const Bm25 match({{3, 2}, {7, 1}}, 10);
  // Ten words: 1.2 · (0.25 + 0.75 · 1) = 1.2, so 2 · 4 / 5.2 + 1 · 1 / 2.2.
  EXPECT_NEAR(match.score(std::vector<TermCount>{{3, 4}, {5, 5}, {7, 1}}), 8 / 5.2 + 1 / 2.2,
              1e-12);
  // Thirty words: 1.2 · (0.25 + 0.75 · 3) = 3.
  EXPECT_NEAR(match.score(std::vector<TermCount>{{1, 26}, {3, 4}}), 8.0 / 7, 1e-12);
  EXPECT_EQ(match.score(std::vector<TermCount>{{1, 26}, {8, 4}}), 0);
  EXPECT_EQ(match.score(std::vector<TermCount>{}), 0);
  EXPECT_EQ(Bm25({}, 0).score(std::vector<TermCount>{{1, 2}}), 0);
}

TEST(Bm25, agrees_with_a_slow_sum_for_both_kinds_of_counts) {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    std::map<uint32_t, double> words;
    std::map<uint32_t, uint32_t> counts;
    for (uint64_t left = random.below(6); left > 0; --left) {
      words[static_cast<uint32_t>(random.below(20))] = 0.1 + static_cast<double>(random.below(50));
    }
    for (uint64_t left = random.below(12); left > 0; --left) {
      counts[static_cast<uint32_t>(random.below(20))] = 1 + static_cast<uint32_t>(random.below(9));
    }
    std::vector<Bm25::Word> list;
    for (const auto& [feature, rarity] : words) list.push_back({feature, rarity});
    std::vector<TermCount> terms;
    std::vector<SparseVector::Entry> entries;
    double length = 0, expected = 0;
    for (const auto& [feature, count] : counts) {
      terms.push_back({feature, count});
      entries.push_back({feature, static_cast<double>(count)});
      length += count;
    }
    for (const auto& [feature, rarity] : words) {
      if (!counts.contains(feature)) continue;
      const double n = counts[feature];
      expected += rarity * n / (n + 1.2 * (0.25 + 0.75 * length / 7));
    }
    const Bm25 match(list, 7);
    EXPECT_NEAR(match.score(terms), expected, 1e-9);
    EXPECT_NEAR(match.score(SparseVector(entries)), expected, 1e-9);
    EXPECT_EQ(length_of(terms), length);
    EXPECT_EQ(length_of(SparseVector(entries)), length);
  }
}

}  // namespace
}  // namespace dowser
