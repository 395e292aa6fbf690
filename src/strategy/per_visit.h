#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "model/visit.h"

namespace dowser {

// A number for each visited page: the state of strategies in which pages pass something on to what
// they link to. Visits count from 0, so it is a plain array.
template <class T>
class PerVisit {
 public:
  void set(VisitId id, T value) {
    if (id.value >= values_.size()) values_.resize(size_t{id.value} + 1);
    values_[id.value] = value;
  }

  // What was set for the page whose link led to this one; `of_seed` where it is a start page.
  T of_parent(const Visit& visit, T of_seed) const {
    const auto& parent = visit.candidate.trail.parent;
    return parent && parent->value < values_.size() ? values_[parent->value] : of_seed;
  }

  void save(ByteWriter& out) const {
    out.number(static_cast<uint64_t>(values_.size()));
    for (const T value : values_) out.number(value);
  }
  // Whether `in` was long enough is for the caller to see.
  void load(ByteReader& in) {
    for (uint64_t left = in.number<uint64_t>(); left > 0 && in.ok(); --left) {
      values_.push_back(in.number<T>());
    }
  }

 private:
  std::vector<T> values_;
};

}  // namespace dowser
