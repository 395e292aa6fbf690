#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/sparse_vector.h"
#include "learn/example.h"
#include "learn/feature_table.h"

namespace dowser {

// Feature indexes are 32-bit hashes; tables need the numbers 0, 1, 2, … This maps each known index
// to a number, in sorted order, so that the same features always get the same numbers.
class FeatureNumbers {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  FeatureNumbers() = default;
  // In any order; duplicates are ignored.
  explicit FeatureNumbers(std::vector<uint32_t> indexes);
  static FeatureNumbers of(std::span<const Example> examples);
  static FeatureNumbers of(std::span<const SparseVector> vectors);

  // Returns kNone if the index is unknown.
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

// Whether the values are strictly increasing.
bool strictly_rising(std::span<const uint32_t> numbers);

}  // namespace dowser
