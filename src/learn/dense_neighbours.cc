#include "learn/dense_neighbours.h"

#include <algorithm>

#include "learn/example.h"
#include "learn/saved_parts.h"

namespace dowser {

DenseNeighbours::DenseNeighbours(Parts parts) : parts_(std::move(parts)) {
  std::vector<double> sizes(parts_.classes);
  for (const uint32_t label : parts_.labels) ++sizes[label];
  largest_class_ = best_class(sizes);
}

Result<DenseNeighbours> DenseNeighbours::from_parts(Parts parts) {
  if (parts.k == 0) return contradiction(kKind, "k is 0");
  if (!(parts.sharpness > 0)) return contradiction(kKind, "the sharpness is not above 0");
  if (!parts.vectors.is_consistent() || parts.vectors.empty() ||
      parts.vectors.size() != parts.labels.size()) {
    return contradiction(kKind, "not one label for each vector");
  }
  if (parts.classes > parts.labels.size()) return contradiction(kKind, "a class without examples");
  for (const uint32_t label : parts.labels) {
    if (label >= parts.classes) return contradiction(kKind, "a label beyond the classes");
  }
  return DenseNeighbours(std::move(parts));
}

Result<DenseNeighbours> DenseNeighbours::load(ByteReader& in) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts));
}

void DenseNeighbours::save(ByteWriter& out) const { save_parts(kKind, parts_, out); }

std::vector<Neighbour> DenseNeighbours::neighbours(std::span<const double> direction) const {
  std::vector<Neighbour> all;
  for (uint32_t i = 0; i < parts_.labels.size(); ++i) {
    const double cosine = dot(direction, parts_.vectors[i]);
    if (cosine > 0) all.push_back({i, std::min(cosine, 1.0)});
  }
  return nearest(std::move(all), parts_.k);
}

std::vector<double> DenseNeighbours::votes(std::span<const double> direction) const {
  return dowser::votes(neighbours(direction), parts_.labels, parts_.classes, parts_.sharpness);
}

uint32_t DenseNeighbours::best(std::span<const double> direction) const {
  const std::vector<double> all = votes(direction);
  const uint32_t best = best_class(all);
  return all[best] > 0 ? best : largest_class_;
}

}  // namespace dowser
