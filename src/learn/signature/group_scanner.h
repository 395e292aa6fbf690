#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/terms.h"
#include "learn/signature/signature.h"

namespace dowser {

// Finds groups of keywords in texts: for each occurrence of a head that has at least one of the
// other two words of a group in its window, the vector of nine. All groups are looked for in one
// pass. Immutable, so any number of threads may use one.
class GroupScanner {
 public:
  GroupScanner() = default;
  GroupScanner(std::span<const std::array<TermId, 3>> groups, uint32_t window, double decay);

  // The keywords of a text: which, and the number of its kept words before it.
  struct Event {
    uint32_t keyword;
    uint32_t position;
  };
  // Adds an event if the word is a keyword.
  void add(TermId word, uint32_t position, std::vector<Event>& events) const {
    const uint32_t bit = word & kFilterMask;
    if (!(filter_[bit >> 6] >> (bit & 63) & 1)) return;
    if (const uint32_t keyword = keyword_of(word); keyword != kNone) {
      events.push_back({keyword, position});
    }
  }

  using Found =
      absl::FunctionRef<void(uint32_t group, uint32_t position, const SignatureVector& vector)>;
  void scan(std::span<const Event> events, Found found) const;
  void scan(std::span<const TermId> words, Found found) const;

  size_t keywords() const { return keywords_; }
  uint32_t keyword_of(TermId word) const;  // kNone if it is none

  static constexpr uint32_t kNone = UINT32_MAX;

 private:
  // Most words are not keywords: a bit for each low part of a term's hash tells that without a
  // search.
  static constexpr uint32_t kFilterMask = (1 << 16) - 1;

  struct Group {
    std::array<uint32_t, 3> words;  // keywords
  };
  struct Slot {
    TermId term = 0;
    uint32_t keyword = kNone;
  };

  uint32_t intern(TermId term);
  SignatureVector vector_of(std::span<const Event> around, const Group& group) const;

  std::vector<uint64_t> filter_ = std::vector<uint64_t>((kFilterMask + 1) / 64);
  std::vector<Slot> slots_;  // open addressing, a power of two
  uint32_t keywords_ = 0;
  std::vector<Group> groups_;
  std::vector<std::vector<uint32_t>> groups_of_;  // by keyword: those that have it as their head
  uint32_t window_ = 0;
  std::vector<double> nearness_;  // f(d) by d
};

}  // namespace dowser
