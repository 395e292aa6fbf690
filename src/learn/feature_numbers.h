#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/sparse_vector.h"
#include "learn/example.h"

namespace dowser {

// Indexes of vectors are hashes, spread over 32 bits; tables want the numbers 0, 1, 2, … This gives
// each known index its number, by rising index, so that the same features get the same numbers.
class FeatureNumbers {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  FeatureNumbers() = default;
  // In any order; what is there twice counts once.
  explicit FeatureNumbers(std::vector<uint32_t> indexes);
  static FeatureNumbers of(std::span<const Example> examples);
  static FeatureNumbers of(std::span<const SparseVector> vectors);

  // kNone for an index that is not known.
  uint32_t number(uint32_t index) const {
    for (uint32_t place = place_of(index);; place = (place + 1) & mask_) {
      const Slot& slot = slots_[place];
      if (slot.index == index || slot.number == kNone) return slot.number;
    }
  }
  std::span<const uint32_t> indexes() const { return indexes_; }  // by number
  size_t size() const { return indexes_.size(); }

 private:
  // A table of our own, at most half full: the words of all links of a crawl are looked up here,
  // and mostly one slot, in one line of memory, is all that it takes.
  struct Slot {
    uint32_t index = 0;
    uint32_t number = kNone;  // kNone: the slot is free
  };

  uint32_t place_of(uint32_t index) const { return (index * 0x9E3779B1u >> 7) & mask_; }

  std::vector<uint32_t> indexes_;
  uint32_t mask_ = 0;  // one less than the number of slots, a power of 2
  std::vector<Slot> slots_ = std::vector<Slot>(1);
};

// Each larger than the one before it.
bool strictly_rising(std::span<const uint32_t> numbers);

}  // namespace dowser
