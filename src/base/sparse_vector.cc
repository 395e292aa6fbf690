#include "base/sparse_vector.h"

#include <algorithm>
#include <cmath>

namespace dowser {

SparseVector::SparseVector(std::vector<Entry> entries) : entries_(std::move(entries)) {
  const auto is_less = [](const Entry& a, const Entry& b) { return a.index < b.index; };
  // The terms of a page are in order. Stable: equal indexes are added in the order given, so the
  // sum is the same everywhere.
  if (!std::is_sorted(entries_.begin(), entries_.end(), is_less)) {
    std::stable_sort(entries_.begin(), entries_.end(), is_less);
  }
  size_t kept = 0;
  for (size_t i = 0; i < entries_.size();) {
    Entry total = entries_[i];
    for (++i; i < entries_.size() && entries_[i].index == total.index; ++i) {
      total.value += entries_[i].value;
    }
    if (total.value != 0) entries_[kept++] = total;
  }
  entries_.resize(kept);
}

double SparseVector::at(uint32_t index) const {
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), index,
                                   [](const Entry& e, uint32_t i) { return e.index < i; });
  return it != entries_.end() && it->index == index ? it->value : 0;
}

double SparseVector::norm() const {
  double squares = 0;
  for (const Entry& e : entries_) squares += e.value * e.value;
  return std::sqrt(squares);
}

SparseVector SparseVector::scaled(double factor) const {
  SparseVector out;
  if (factor == 0) return out;
  out.entries_.reserve(entries_.size());
  for (const Entry& e : entries_) out.entries_.push_back({e.index, e.value * factor});
  return out;
}

SparseVector SparseVector::normalised() const {
  const double length = norm();
  return length > 0 ? scaled(1 / length) : *this;
}

double dot(const SparseVector& a, const SparseVector& b) {
  if (a.size() > b.size()) return dot(b, a);
  const auto small = a.entries();
  const auto large = b.entries();
  double total = 0;
  if (small.size() * 16 < large.size()) {  // a few words against a long page: look each one up
    for (const auto& e : small) total += e.value * b.at(e.index);
    return total;
  }
  for (size_t i = 0, j = 0; i < small.size() && j < large.size();) {
    if (small[i].index < large[j].index) {
      ++i;
    } else if (small[i].index > large[j].index) {
      ++j;
    } else {
      total += small[i++].value * large[j++].value;
    }
  }
  return total;
}

double cosine(const SparseVector& a, const SparseVector& b) {
  const double lengths = a.norm() * b.norm();
  return lengths > 0 ? dot(a, b) / lengths : 0;
}

SparseVector sum(const SparseVector& a, const SparseVector& b, double factor_of_b) {
  std::vector<SparseVector::Entry> entries(a.entries().begin(), a.entries().end());
  for (const auto& e : b.entries()) entries.push_back({e.index, e.value * factor_of_b});
  return SparseVector(std::move(entries));
}

}  // namespace dowser
