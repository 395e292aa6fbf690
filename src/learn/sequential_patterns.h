#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

// Items that follow one another in many sequences: pages of a session, words of a phrase.

namespace dowser {

struct SequentialPattern {
  std::vector<uint32_t> items;  // in the order in which they occur
  size_t support = 0;           // how many sequences, or groups of them, hold it

  friend bool operator==(const SequentialPattern&, const SequentialPattern&) = default;
};

struct SequentialPatternOptions {
  size_t support = 2;
  size_t longest = 5;
  // True: the items follow each other directly. False: others may come between them.
  bool adjacent = false;
  size_t most = 1'000'000;     // stop after this many patterns
  std::function<bool()> stop;  // asked now and then; true ends the search
};

struct SequentialPatterns {
  std::vector<SequentialPattern> patterns;  // a pattern follows its own beginnings
  bool complete = true;                     // false: `most` or `stop` ended the search
};

// Items are numbers from 0 on, not much higher than there are different ones.
// Every pattern of 1 … `longest` items with at least `support`. A sequence counts once however
// often it holds the pattern. `groups` is as in frequent_sets().
SequentialPatterns sequential_patterns(std::span<const std::vector<uint32_t>> sequences,
                                       const SequentialPatternOptions& options = {},
                                       std::span<const uint32_t> groups = {});

}  // namespace dowser
