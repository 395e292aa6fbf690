#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/sparse_vector.h"

namespace dowser {

// What learners learn from: a vector and the number of its class. Only the caller knows what the
// features and classes stand for.
struct Example {
  SparseVector vector;
  uint32_t label = 0;
};

// The largest label plus one.
inline size_t class_count(std::span<const Example> examples) {
  size_t classes = 0;
  for (const Example& e : examples) classes = std::max(classes, size_t{e.label} + 1);
  return classes;
}

// The index of the first of the largest values; 0 if there are none.
inline uint32_t best_class(std::span<const double> values) {
  return static_cast<uint32_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

}  // namespace dowser
