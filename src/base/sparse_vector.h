#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dowser {

// A vector with few non-zero entries: (index, value) pairs in ascending order of index, each index
// once.
class SparseVector {
 public:
  struct Entry {
    uint32_t index;
    double value;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  SparseVector() = default;
  // Sorts the entries and adds up those with the same index; zero sums are dropped.
  explicit SparseVector(std::vector<Entry> entries);

  std::span<const Entry> entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }

  double at(uint32_t index) const;  // 0 if there is no entry
  double norm() const;
  SparseVector scaled(double factor) const;
  SparseVector normalised() const;  // length 1; an empty or zero vector stays as it is

  friend bool operator==(const SparseVector&, const SparseVector&) = default;

 private:
  std::vector<Entry> entries_;
};

double dot(const SparseVector& a, const SparseVector& b);
// 0 if either vector is zero.
double cosine(const SparseVector& a, const SparseVector& b);
SparseVector sum(const SparseVector& a, const SparseVector& b, double factor_of_b = 1);

}  // namespace dowser
