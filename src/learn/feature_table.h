#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dowser {

// What is known of a feature, by its index, which is a hash. Filled once and asked a billion times:
// for the words of all links of a crawl. A third to two thirds full, and without a second array, so
// that mostly one line of memory is all that a look-up takes.
//
// Value() is what an unknown feature has; Value::is_unknown() tells it from the others.
template <class Value>
class FeatureTable {
 public:
  FeatureTable() : FeatureTable(0) {}
  // With room for so many.
  explicit FeatureTable(size_t features)
      : mask_(static_cast<uint32_t>(std::bit_ceil(features + features / 2 + 1) - 1)),
        rows_(mask_ + size_t{1}) {}

  // Each feature once, and no more of them than there is room for.
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

  // It will be asked for soon: the processor may begin to bring it.
  void expect(uint32_t feature) const { __builtin_prefetch(&rows_[place_of(feature)]); }

 private:
  struct Row {
    uint32_t feature = 0;
    Value value;
  };

  // Hashes are spread already; other numbers may differ in their upper bits only.
  uint32_t place_of(uint32_t feature) const { return (feature * 0x9E3779B1u >> 7) & mask_; }

  uint32_t mask_;  // one less than the number of rows, a power of 2
  std::vector<Row> rows_;
};

}  // namespace dowser
