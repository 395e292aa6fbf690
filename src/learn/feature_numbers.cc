#include "learn/feature_numbers.h"

#include <algorithm>
#include <functional>

#include "absl/container/flat_hash_set.h"

namespace dowser {
namespace {

// A set first, because most entries repeat a feature and sorting all of them would take longer.
template <class Items, class Vector>
std::vector<uint32_t> distinct(const Items& items, const Vector& vector_of) {
  absl::flat_hash_set<uint32_t> seen;
  for (const auto& item : items) {
    for (const auto& e : vector_of(item).entries()) seen.insert(e.index);
  }
  return std::vector<uint32_t>(seen.begin(), seen.end());
}

}  // namespace

FeatureNumbers::FeatureNumbers(std::vector<uint32_t> indexes) : indexes_(std::move(indexes)) {
  std::sort(indexes_.begin(), indexes_.end());
  indexes_.erase(std::unique(indexes_.begin(), indexes_.end()), indexes_.end());
  numbers_ = FeatureTable<Number>(indexes_.size());
  for (uint32_t i = 0; i < indexes_.size(); ++i) numbers_.add(indexes_[i], {i});
}

FeatureNumbers FeatureNumbers::of(std::span<const Example> examples) {
  return FeatureNumbers(
      distinct(examples, [](const Example& e) -> const SparseVector& { return e.vector; }));
}

FeatureNumbers FeatureNumbers::of(std::span<const SparseVector> vectors) {
  return FeatureNumbers(
      distinct(vectors, [](const SparseVector& v) -> const SparseVector& { return v; }));
}

bool strictly_rising(std::span<const uint32_t> numbers) {
  return std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) ==
         numbers.end();
}

}  // namespace dowser
