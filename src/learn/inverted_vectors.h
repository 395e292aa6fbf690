#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/sparse_vector.h"
#include "learn/feature_numbers.h"

namespace dowser {

// Many vectors, asked for their dot products with one: an inverted index, for each feature the
// vectors that have it. Only what shares a feature with the one asked for is touched, so a question
// costs the length of the lists of its features and one number a vector.
class InvertedVectors {
 public:
  InvertedVectors() = default;
  explicit InvertedVectors(std::span<const SparseVector> vectors);

  std::vector<double> dots(const SparseVector& v) const;  // by the number of the vector
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
