#include "learn/centroid.h"

#include "learn/saved_parts.h"

namespace dowser {

SparseVector centroid_of(std::span<const SparseVector> vectors) {
  std::vector<SparseVector::Entry> entries;
  for (const SparseVector& v : vectors) {
    const SparseVector unit = v.normalised();
    entries.insert(entries.end(), unit.entries().begin(), unit.entries().end());
  }
  return SparseVector(std::move(entries)).normalised();
}

Centroid::Centroid(Parts parts)
    : parts_(std::move(parts)), centroid_(centroid_of(parts_.vectors)), index_(parts_.vectors) {}

Result<Centroid> Centroid::train(std::span<const SparseVector> vectors) {
  Parts parts;
  for (const SparseVector& v : vectors) parts.vectors.push_back(v.normalised());
  return from_parts(std::move(parts));
}

Result<Centroid> Centroid::from_parts(Parts parts) {
  if (parts.vectors.empty()) return Error{"a centroid needs at least one example"};
  return Centroid(std::move(parts));
}

Result<Centroid> Centroid::load(ByteReader& in) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts));
}

void Centroid::save(ByteWriter& out) const { save_parts(kKind, parts_, out); }

Centroid::Closest Centroid::closest(const SparseVector& v) const {
  const std::vector<double> cosines = index_.dots(v.normalised());
  Closest best;
  for (uint32_t i = 0; i < cosines.size(); ++i) {
    if (cosines[i] > best.cosine) best = {i, cosines[i]};
  }
  return best;
}

}  // namespace dowser
