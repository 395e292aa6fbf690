#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dowser {

// Vectors of one dimension, every component stored, one after the other in memory. For the few
// dimensions of a reduced space; vectors with one component per word are SparseVectors.
class DenseVectors {
 public:
  DenseVectors() = default;
  explicit DenseVectors(size_t dimensions, size_t count = 0)
      : dimensions_(static_cast<uint32_t>(dimensions)), values_(dimensions * count) {}

  size_t size() const { return dimensions_ == 0 ? 0 : values_.size() / dimensions_; }
  size_t dimensions() const { return dimensions_; }
  bool empty() const { return values_.empty(); }

  std::span<const double> operator[](size_t i) const {
    return std::span(values_).subspan(i * dimensions_, dimensions_);
  }
  std::span<double> operator[](size_t i) {
    return std::span(values_).subspan(i * dimensions_, dimensions_);
  }
  // Appends a vector of this dimension, which must not be part of this object.
  void add(std::span<const double> v) { values_.insert(values_.end(), v.begin(), v.end()); }

  // Whether the values make up whole vectors; false is possible only for data read from a file.
  bool is_consistent() const {
    return dimensions_ == 0 ? values_.empty() : values_.size() % dimensions_ == 0;
  }
  static void each(auto& v, auto& field) { field(v.dimensions_), field(v.values_); }
  friend bool operator==(const DenseVectors&, const DenseVectors&) = default;

 private:
  uint32_t dimensions_ = 0;
  std::vector<double> values_;
};

// Four sums side by side: the compiler may not reorder the additions of one.
inline double dot(std::span<const double> a, std::span<const double> b) {
  double sums[4] = {};
  size_t i = 0;
  for (; i + 4 <= a.size(); i += 4) {
    for (size_t j = 0; j < 4; ++j) sums[j] += a[i + j] * b[i + j];
  }
  double total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

inline double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sums[4] = {};
  size_t i = 0;
  for (; i + 4 <= a.size(); i += 4) {
    for (size_t j = 0; j < 4; ++j) {
      const double d = a[i + j] - b[i + j];
      sums[j] += d * d;
    }
  }
  double total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (; i < a.size(); ++i) total += (a[i] - b[i]) * (a[i] - b[i]);
  return total;
}

inline double norm(std::span<const double> v) { return std::sqrt(dot(v, v)); }

// Scales to length 1; the zero vector stays as it is.
inline void normalise(std::span<double> v) {
  const double length = norm(v);
  if (length == 0) return;
  for (double& x : v) x /= length;
}

}  // namespace dowser
