#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
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
    const auto it = numbers_.find(index);
    return it == numbers_.end() ? kNone : it->second;
  }
  std::span<const uint32_t> indexes() const { return indexes_; }  // by number
  size_t size() const { return indexes_.size(); }

 private:
  std::vector<uint32_t> indexes_;
  absl::flat_hash_map<uint32_t, uint32_t> numbers_;
};

// Each larger than the one before it.
bool strictly_rising(std::span<const uint32_t> numbers);

}  // namespace dowser
