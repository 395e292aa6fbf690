#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/sparse_vector.h"
#include "learn/feature_numbers.h"

namespace dowser {

// The dot products of one vector with many others, by an inverted index that lists for each feature
// the vectors that have it. Only vectors that share a feature are touched, so a query costs the
// length of the lists of its features and one number for each vector.
class InvertedVectors {
 public:
  InvertedVectors() = default;
  explicit InvertedVectors(std::span<const SparseVector> vectors);

  std::vector<double> dots(const SparseVector& v) const;  // by index of the vector
  size_t size() const { return size_; }

 private:
  struct Posting {
    uint32_t vector;
    double value;
  };
  size_t size_ = 0;
  FeatureNumbers features_;
  std::vector<size_t> begins_;  // of each feature's postings, and the end of the last
  std::vector<Posting> postings_;
};

}  // namespace dowser
