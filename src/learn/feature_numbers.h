#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/sparse_vector.h"
#include "learn/example.h"
#include "learn/feature_table.h"

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
  uint32_t number(uint32_t index) const { return numbers_[index].value; }
  std::span<const uint32_t> indexes() const { return indexes_; }  // by number
  size_t size() const { return indexes_.size(); }

 private:
  struct Number {
    uint32_t value = kNone;
    bool is_unknown() const { return value == kNone; }
  };

  std::vector<uint32_t> indexes_;
  FeatureTable<Number> numbers_;
};

// Each larger than the one before it.
bool strictly_rising(std::span<const uint32_t> numbers);

}  // namespace dowser
