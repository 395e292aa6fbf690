#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"
#include "learn/association_rules.h"
#include "learn/frequent_sets.h"
#include "learn/sequential_patterns.h"

namespace dowser {
namespace {

using Lists = std::vector<std::vector<uint32_t>>;

Lists random_lists(uint64_t seed, size_t count, size_t longest, uint32_t items) {
  Random random(seed);
  Lists lists(count);
  for (auto& list : lists) {
    const size_t size = random.below(longest + 1);
    for (size_t i = 0; i < size; ++i) {
      // Smaller numbers are more frequent.
      list.push_back(static_cast<uint32_t>(random.below(random.below(items) + 1)));
    }
  }
  return lists;
}

// Every subset of every transaction with the groups that hold it.
std::vector<FrequentSet> all_sets(const Lists& lists, size_t support, size_t largest,
                                  const std::vector<uint32_t>& groups) {
  std::map<std::vector<uint32_t>, std::set<uint32_t>> holders;
  for (uint32_t t = 0; t < lists.size(); ++t) {
    const std::set<uint32_t> unique(lists[t].begin(), lists[t].end());
    const std::vector<uint32_t> items(unique.begin(), unique.end());
    for (uint32_t mask = 1; mask < 1u << items.size(); ++mask) {
      std::vector<uint32_t> subset;
      for (size_t i = 0; i < items.size(); ++i) {
        if (mask >> i & 1) subset.push_back(items[i]);
      }
      if (subset.size() <= largest) holders[subset].insert(groups.empty() ? t : groups[t]);
    }
  }
  std::vector<FrequentSet> found;
  for (size_t size = 1; size <= largest; ++size) {
    for (const auto& [items, who] : holders) {
      if (items.size() == size && who.size() >= support) found.push_back({items, who.size()});
    }
  }
  return found;
}

TEST(FrequentSets, equal_the_enumeration_of_all_sets_on_random_data) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const Lists lists = random_lists(seed, 40, 8, 12);
    std::vector<uint32_t> groups;
    for (uint32_t t = 0; seed % 2 == 0 && t < lists.size(); ++t) groups.push_back(t * 7 % 11);
    FrequentSetOptions options;
    options.support = 1 + seed % 5;
    options.largest = 1 + seed % 6;
    const FrequentSets found = frequent_sets(lists, options, groups);
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.sets, all_sets(lists, options.support, options.largest, groups)) << seed;
  }
}

TEST(FrequentSets, of_nothing_are_nothing) {
  EXPECT_TRUE(frequent_sets({}).sets.empty());
  const Lists empty(3);
  EXPECT_TRUE(frequent_sets(empty).sets.empty());
}

TEST(FrequentSets, an_end_before_the_last_set_is_said) {
  const Lists lists = random_lists(3, 40, 8, 12);
  FrequentSetOptions options;
  options.most = 5;
  EXPECT_FALSE(frequent_sets(lists, options).complete);
  options = {};
  options.stop = [] { return true; };
  EXPECT_FALSE(frequent_sets(lists, options).complete);
}

TEST(FrequentSets, of_a_hundred_thousand_transactions_are_found) {
  // Transactions like list items of web pages: up to 15 words from a vocabulary of 20,000.
  const Lists lists = random_lists(9, 100'000, 15, 20'000);
  FrequentSetOptions options;
  options.support = 5;
  const FrequentSets found = frequent_sets(lists, options);
  EXPECT_GT(found.sets.size(), 10'000u);
  EXPECT_TRUE(found.complete);
}

TEST(AssociationRules, are_those_that_counting_gives) {
  const Lists lists = random_lists(5, 60, 6, 8);
  FrequentSetOptions options;
  options.support = 3;
  const FrequentSets found = frequent_sets(lists, options);
  const auto rules = association_rules(found.sets, lists.size(), {0.4, 1.1});
  const auto holding = [&](const std::vector<uint32_t>& items) {
    return static_cast<size_t>(std::count_if(lists.begin(), lists.end(), [&](const auto& list) {
      return std::all_of(items.begin(), items.end(), [&](uint32_t item) {
        return std::find(list.begin(), list.end(), item) != list.end();
      });
    }));
  };
  size_t expected = 0;
  for (const FrequentSet& set : found.sets) {
    for (const uint32_t then : set.items) {
      std::vector<uint32_t> given = set.items;
      std::erase(given, then);
      if (given.empty()) continue;
      const double confidence =
          static_cast<double>(holding(set.items)) / static_cast<double>(holding(given));
      const double lift = confidence * 60 / static_cast<double>(holding({then}));
      if (confidence < 0.4 || lift < 1.1) continue;
      ++expected;
      const auto rule = std::find_if(rules.begin(), rules.end(), [&](const auto& r) {
        return r.given == given && r.then == then;
      });
      ASSERT_NE(rule, rules.end());
      EXPECT_EQ(rule->support, holding(set.items));
      EXPECT_DOUBLE_EQ(rule->confidence, confidence);
      EXPECT_DOUBLE_EQ(rule->lift, lift);
    }
  }
  EXPECT_GT(expected, 0u);
  EXPECT_EQ(rules.size(), expected);
}

// Every subsequence of every sequence, adjacent or not.
std::map<std::vector<uint32_t>, size_t> all_patterns(const Lists& lists,
                                                     const SequentialPatternOptions& options,
                                                     const std::vector<uint32_t>& groups) {
  std::map<std::vector<uint32_t>, std::set<uint32_t>> holders;
  for (uint32_t s = 0; s < lists.size(); ++s) {
    for (uint32_t mask = 1; mask < 1u << lists[s].size(); ++mask) {
      std::vector<uint32_t> items;
      uint32_t places = mask;
      while (places % 2 == 0) places >>= 1;
      if (options.adjacent && (places & (places + 1)) != 0) continue;
      for (size_t i = 0; i < lists[s].size(); ++i) {
        if (mask >> i & 1) items.push_back(lists[s][i]);
      }
      if (items.size() <= options.longest) holders[items].insert(groups.empty() ? s : groups[s]);
    }
  }
  std::map<std::vector<uint32_t>, size_t> found;
  for (const auto& [items, who] : holders) {
    if (who.size() >= options.support) found[items] = who.size();
  }
  return found;
}

TEST(SequentialPatterns, equal_the_enumeration_of_all_subsequences_on_random_data) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const Lists lists = random_lists(seed, 30, 8, 6);
    std::vector<uint32_t> groups;
    for (uint32_t t = 0; seed % 3 == 0 && t < lists.size(); ++t) groups.push_back(t * 7 % 11);
    SequentialPatternOptions options;
    options.support = 1 + seed % 4;
    options.longest = 1 + seed % 5;
    options.adjacent = seed % 2 == 0;
    const SequentialPatterns found = sequential_patterns(lists, options, groups);
    EXPECT_TRUE(found.complete);
    const auto expected = all_patterns(lists, options, groups);
    EXPECT_EQ(found.patterns.size(), expected.size()) << seed;
    for (const SequentialPattern& pattern : found.patterns) {
      const auto it = expected.find(pattern.items);
      ASSERT_NE(it, expected.end()) << seed;
      EXPECT_EQ(pattern.support, it->second) << seed;
    }
  }
}

TEST(SequentialPatterns, an_end_before_the_last_pattern_is_said) {
  const Lists lists = random_lists(3, 40, 8, 6);
  SequentialPatternOptions options;
  options.most = 5;
  const SequentialPatterns found = sequential_patterns(lists, options);
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.patterns.size(), 5u);
  EXPECT_TRUE(sequential_patterns({}).patterns.empty());
}

}  // namespace
}  // namespace dowser
