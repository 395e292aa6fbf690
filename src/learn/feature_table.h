#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dowser {

// Values by feature index, which is a hash. It is filled once and then read billions of times, for
// the words of all links of a crawl. It is between a third and two thirds full and has no second
// array, so that a look-up mostly touches one cache line.
//
// Value() is the value of unknown features; Value::is_unknown() identifies it.
template <class Value>
class FeatureTable {
 public:
  FeatureTable() : FeatureTable(0) {}
  // With room for this many features.
  explicit FeatureTable(size_t features)
      : mask_(static_cast<uint32_t>(std::bit_ceil(features + features / 2 + 1) - 1)),
        rows_(mask_ + size_t{1}) {}

  // Each feature once, and no more than there is room for.
  void add(uint32_t feature, const Value& value) {
    uint32_t place = place_of(feature);
    while (!rows_[place].value.is_unknown()) place = (place + 1) & mask_;
    rows_[place] = {feature, value};
  }

  const Value& operator[](uint32_t feature) const {
    for (uint32_t place = place_of(feature);; place = (place + 1) & mask_) {
      const Row& row = rows_[place];
      if (row.feature == feature || row.value.is_unknown()) return row.value;
    }
  }

  // Prefetches a feature that will be looked up soon.
  void expect(uint32_t feature) const { __builtin_prefetch(&rows_[place_of(feature)]); }

 private:
  struct Row {
    uint32_t feature = 0;
    Value value;
  };

  // Hashes are evenly distributed already; other numbers may differ in their upper bits only.
  uint32_t place_of(uint32_t feature) const { return (feature * 0x9E3779B1u >> 7) & mask_; }

  uint32_t mask_;  // one less than the number of rows, a power of 2
  std::vector<Row> rows_;
};

}  // namespace dowser
