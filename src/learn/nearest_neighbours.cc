#include "learn/nearest_neighbours.h"

#include <algorithm>

#include "learn/saved_parts.h"

namespace dowser {

NearestNeighbours::NearestNeighbours(Parts parts)
    : parts_(std::move(parts)), index_(parts_.vectors) {}

Result<NearestNeighbours> NearestNeighbours::train(std::span<const Example> examples, uint32_t k) {
  if (examples.empty()) return Error{"nearest neighbours need at least one example"};
  Parts parts{.k = k, .classes = static_cast<uint32_t>(class_count(examples))};
  for (const Example& e : examples) {
    parts.vectors.push_back(e.vector.normalised());
    parts.labels.push_back(e.label);
  }
  return from_parts(std::move(parts));
}

Result<NearestNeighbours> NearestNeighbours::from_parts(Parts parts) {
  if (parts.k == 0) return contradiction(kKind, "k is 0");
  if (parts.vectors.empty() || parts.labels.size() != parts.vectors.size()) {
    return contradiction(kKind, "not one label for each vector");
  }
  for (const uint32_t label : parts.labels) {
    if (label >= parts.classes) return contradiction(kKind, "a label beyond the classes");
  }
  return NearestNeighbours(std::move(parts));
}

Result<NearestNeighbours> NearestNeighbours::load(ByteReader& in) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts));
}

void NearestNeighbours::save(ByteWriter& out) const { save_parts(kKind, parts_, out); }

std::vector<Neighbour> NearestNeighbours::neighbours(const SparseVector& v) const {
  const std::vector<double> cosines = index_.dots(v.normalised());
  std::vector<Neighbour> all;
  for (uint32_t i = 0; i < cosines.size(); ++i) {
    if (cosines[i] > 0) all.push_back({i, cosines[i]});
  }
  return nearest(std::move(all), parts_.k);
}

std::vector<double> NearestNeighbours::posteriors(const SparseVector& v) const {
  const std::vector<Neighbour> near = neighbours(v);
  std::vector<double> votes = dowser::votes(near, parts_.labels, parts_.classes);
  double total = 0;
  for (const Neighbour& n : near) total += n.cosine;
  if (total == 0) {
    for (const uint32_t label : parts_.labels) ++votes[label];
    total = static_cast<double>(parts_.labels.size());
  }
  for (double& x : votes) x /= total;
  return votes;
}

}  // namespace dowser
