#include "learn/inverted_vectors.h"

namespace dowser {

InvertedVectors::InvertedVectors(std::span<const SparseVector> vectors)
    : size_(vectors.size()), features_(FeatureNumbers::of(vectors)) {
  begins_.resize(features_.size() + 1);
  for (const SparseVector& v : vectors) {
    for (const auto& e : v.entries()) ++begins_[features_.number(e.index) + 1];
  }
  for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  postings_.resize(begins_.back());
  std::vector<size_t> next(begins_.begin(), begins_.end() - 1);
  for (uint32_t i = 0; i < vectors.size(); ++i) {
    for (const auto& e : vectors[i].entries()) {
      postings_[next[features_.number(e.index)]++] = {i, e.value};
    }
  }
}

std::vector<double> InvertedVectors::dots(const SparseVector& v) const {
  std::vector<double> totals(size_);
  for (const auto& e : v.entries()) {
    const uint32_t feature = features_.number(e.index);
    if (feature == FeatureNumbers::kNone) continue;
    for (size_t i = begins_[feature]; i < begins_[feature + 1]; ++i) {
      totals[postings_[i].vector] += e.value * postings_[i].value;
    }
  }
  return totals;
}

}  // namespace dowser
