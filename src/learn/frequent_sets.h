#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

// Sets of items that occur together in many transactions: pages of a session, words of a list item.

namespace dowser {

struct FrequentSet {
  std::vector<uint32_t> items;  // in ascending order
  size_t support = 0;           // how many transactions, or groups of them, hold all items

  friend bool operator==(const FrequentSet&, const FrequentSet&) = default;
};

struct FrequentSetOptions {
  size_t support = 2;          // the least support of a set
  size_t largest = 3;          // the most items of a set
  size_t most = 1'000'000;     // stop after the level in which this many sets were found
  std::function<bool()> stop;  // asked now and then; true ends the search
};

struct FrequentSets {
  std::vector<FrequentSet> sets;  // smaller sets first, then by their items
  bool complete = true;           // false: `most` or `stop` ended the search
};

// Items are numbers from 0 on, not much higher than there are different ones.
// Every set of 1 … `largest` items with at least `support`. An item that is repeated in a
// transaction counts once. Without `groups` the support of a set is the number of transactions that
// hold it. With them (one number for each transaction, small numbers) it is the number of different
// groups: so a page whose list repeats an item counts once.
FrequentSets frequent_sets(std::span<const std::vector<uint32_t>> transactions,
                           const FrequentSetOptions& options = {},
                           std::span<const uint32_t> groups = {});

}  // namespace dowser
