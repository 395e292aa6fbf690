#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "model/visit.h"

namespace dowser {

// A value for each visited page, for strategies in which a page passes something on to the pages
// that it links to. Visits are numbered from 0, so this is an array.
template <class T>
class PerVisit {
 public:
  void set(VisitId id, T value) {
    if (id.value >= values_.size()) values_.resize(size_t{id.value} + 1);
    values_[id.value] = value;
  }

  // The value of the page whose link led to this visit; `of_seed` if the visit is a seed.
  T of_parent(const Visit& visit, T of_seed) const {
    const auto& parent = visit.candidate.trail.parent;
    return parent && parent->value < values_.size() ? values_[parent->value] : of_seed;
  }

  void save(ByteWriter& out) const {
    out.number(static_cast<uint64_t>(values_.size()));
    for (const T value : values_) out.number(value);
  }
  // The caller checks in.ok().
  void load(ByteReader& in) {
    for (uint64_t left = in.number<uint64_t>(); left > 0 && in.ok(); --left) {
      values_.push_back(in.number<T>());
    }
  }

 private:
  std::vector<T> values_;
};

}  // namespace dowser
