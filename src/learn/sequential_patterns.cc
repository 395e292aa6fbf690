#include "learn/sequential_patterns.h"

#include <algorithm>
#include <map>

// PrefixSpan (Pei et al. 2001): the patterns that begin with <a> are <a> followed by the patterns
// of what follows the a in each sequence. So the search goes down from each frequent item and
// looks only at the rests of sequences, which are never copied: a rest is a sequence and a place in
// it.
//
// Example, support 2: a b c, a c, b c. After the a there are "b c" and "c": c is frequent there,
// so <a c> is a pattern with support 2; <a b> occurs once and ends its branch.
//
// If other items may come between, the first place at which a prefix ends is enough, since every
// continuation after a later place is after that one as well. Where items must be adjacent, every
// place is kept, because each has its own next item. Sequences are of single items, not of sets, as
// clicks and words are.
//
// Cost: the sum of the rests over all frequent prefixes. tests/learn/sequential_patterns_test.cc
// compares with the enumeration of all subsequences.

namespace dowser {
namespace {

struct Rest {
  uint32_t sequence, next;  // the place after the prefix
};
using Rests = std::vector<Rest>;

class PrefixSpan {
 public:
  PrefixSpan(std::span<const std::vector<uint32_t>> sequences,
             const SequentialPatternOptions& options, std::span<const uint32_t> groups)
      : sequences_(sequences), options_(options), groups_(groups) {
    size_t count = sequences.size();
    if (!groups.empty()) count = size_t{*std::max_element(groups.begin(), groups.end())} + 1;
    last_.resize(count);
    uint32_t highest = 0;
    for (const auto& sequence : sequences) {
      for (const uint32_t item : sequence) highest = std::max(highest, item);
    }
    occurrences_.resize(size_t{highest} + 1);
    for (const auto& sequence : sequences) {
      for (const uint32_t item : sequence) ++occurrences_[item];
    }
  }

  SequentialPatterns run() {
    Rests all;
    for (uint32_t s = 0; s < sequences_.size(); ++s) {
      // At the beginning every place may be the first, even if items must be adjacent.
      for (uint32_t at = 0; at < (options_.adjacent ? sequences_[s].size() : 1); ++at) {
        all.push_back({s, at});
      }
    }
    extend(all);
    return std::move(found_);
  }

 private:
  void extend(const Rests& rests) {
    if (prefix_.size() >= options_.longest) return;
    for (const auto& [item, longer] : continuations(rests)) {
      const size_t support = support_of(longer);
      if (support < std::max<size_t>(1, options_.support)) continue;
      if (found_.patterns.size() >= options_.most || (options_.stop && options_.stop())) {
        found_.complete = false;
      }
      if (!found_.complete) return;
      prefix_.push_back(item);
      found_.patterns.push_back({prefix_, support});
      extend(longer);
      prefix_.pop_back();
    }
  }

  // Of each item that can come next, the rests after it.
  std::map<uint32_t, Rests> continuations(const Rests& rests) const {
    std::map<uint32_t, Rests> all;
    for (const Rest& rest : rests) {
      const std::vector<uint32_t>& sequence = sequences_[rest.sequence];
      const size_t end =
          options_.adjacent ? std::min<size_t>(rest.next + 1, sequence.size()) : sequence.size();
      for (uint32_t at = rest.next; at < end; ++at) {
        // No pattern holds a rare item, and most items are rare.
        if (occurrences_[sequence[at]] < options_.support) continue;
        Rests& behind = all[sequence[at]];
        const bool repeated = !behind.empty() && behind.back().sequence == rest.sequence;
        if (options_.adjacent || !repeated) behind.push_back({rest.sequence, at + 1});
      }
    }
    return all;
  }

  size_t support_of(const Rests& rests) {
    ++serial_;
    size_t support = 0;
    for (const Rest& rest : rests) {
      uint64_t& last = last_[groups_.empty() ? rest.sequence : groups_[rest.sequence]];
      support += last != serial_;
      last = serial_;
    }
    return support;
  }

  const std::span<const std::vector<uint32_t>> sequences_;
  const SequentialPatternOptions& options_;
  const std::span<const uint32_t> groups_;
  std::vector<uint64_t> last_;  // of a sequence or group: in which count it was met last
  uint64_t serial_ = 0;
  std::vector<uint32_t> occurrences_;  // of an item, in all sequences
  std::vector<uint32_t> prefix_;
  SequentialPatterns found_;
};

}  // namespace

SequentialPatterns sequential_patterns(std::span<const std::vector<uint32_t>> sequences,
                                       const SequentialPatternOptions& options,
                                       std::span<const uint32_t> groups) {
  return PrefixSpan(sequences, options, groups).run();
}

}  // namespace dowser
