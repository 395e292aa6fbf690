#include "learn/signature/refine_signatures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/sparse_vector.h"
#include "learn/k_means.h"
#include "learn/truncated_svd.h"
#include "learn/x_means.h"

// The Semantic Signature Refinement Tool (Pinnamaneni 2013, chapter 3): "signature column vectors
// are clustered using the K-Means clustering algorithm. It uses the Singular Value Decomposition
// (SVD) technique to identify strong semantic signatures and then prune some redundant relevant
// semantic signatures." Which signatures are strong or redundant it does not say; ours is this:
//
//   A      documents × signatures, ln(1 + hits)
//   A ≈ U S Vᵀ, with as many singular values as hold `energy` of the sum of all s²
//   r_j    row j of V S: the signature in the space that the strong directions span
//
//   strength of j   |r_j|. Below `weak` times the greatest: dropped, since what it says is noise
//   cluster of j    k-means by cosine of all r_j
//   redundant       in a cluster, from the strongest on: dropped if its cosine with one that was
//                   kept is at least `redundant`
//
// Example: of three columns (2 1 0), (4 2 0), (0 0 3) the second is kept and the first dropped,
// since both hit the same documents in nearly the same measure; the third stands alone and is kept.
//
// Cost: that of the SVD of a matrix with few rows, and k-means of the columns.

namespace dowser {
namespace {

std::vector<SparseVector> columns_of(const HitsArray& array) {
  std::vector<std::vector<SparseVector::Entry>> entries(array.signatures.size());
  for (uint32_t i = 0; i < array.rows.size(); ++i) {
    for (const HitCount& hit : array.rows[i].hits) {
      entries[hit.signature].push_back({i, std::log1p(static_cast<double>(hit.count))});
    }
  }
  std::vector<SparseVector> columns;
  for (auto& column : entries) columns.emplace_back(std::move(column));
  return columns;
}

// The rows of V S, cut to the dimensions that hold the energy.
DenseVectors strong_space(const TruncatedSvd& svd, double energy) {
  double total = 0, sum = 0;
  for (const double s : svd.values) total += s * s;
  size_t dimensions = 0;
  while (dimensions < svd.values.size() && (dimensions == 0 || sum < energy * total)) {
    sum += svd.values[dimensions] * svd.values[dimensions];
    ++dimensions;
  }
  DenseVectors space(dimensions, svd.right.size());
  for (size_t j = 0; j < svd.right.size(); ++j) {
    for (size_t d = 0; d < dimensions; ++d) space[j][d] = svd.right[j][d] * svd.values[d];
  }
  return space;
}

Result<Clustering> cluster_columns(const DenseVectors& units, const RefineOptions& options) {
  uint32_t clusters = options.clusters;
  if (clusters == 0) {
    const auto most = static_cast<uint32_t>(std::min<size_t>(20, units.size()));
    const Result<Clustering> found =
        x_means(units, {.least = std::min(2u, most), .most = most, .seed = options.seed});
    if (!found) return found;
    clusters = static_cast<uint32_t>(found->clusters());
  }
  return k_means(units, {.clusters = clusters, .seed = options.seed, .unit_centroids = true});
}

}  // namespace

size_t Refinement::kept() const {
  return static_cast<size_t>(std::count_if(signatures.begin(), signatures.end(),
                                           [](const RefinedSignature& s) { return s.kept; }));
}

Result<Refinement> refine_signatures(const HitsArray& training, const RefineOptions& options) {
  const std::vector<SparseVector> columns = columns_of(training);
  if (std::all_of(columns.begin(), columns.end(), [](const auto& c) { return c.empty(); })) {
    return Error{
        "no signature has a hit in any of these documents: give those that they were "
        "learned from"};
  }
  const auto svd = truncated_svd(
      columns, static_cast<uint32_t>(training.rows.size()),
      {.dimensions = static_cast<uint32_t>(std::min(training.rows.size(), columns.size()))});
  if (!svd) return svd.error();
  const DenseVectors space = strong_space(*svd, options.energy);

  Refinement refinement;
  refinement.dimensions = space.dimensions();
  refinement.signatures.resize(columns.size());
  double strongest = 0;
  for (size_t j = 0; j < columns.size(); ++j) {
    refinement.signatures[j].strength = norm(space[j]);
    strongest = std::max(strongest, refinement.signatures[j].strength);
  }
  std::vector<uint32_t> strong;
  DenseVectors units(space.dimensions());
  for (uint32_t j = 0; j < columns.size(); ++j) {
    RefinedSignature& s = refinement.signatures[j];
    if (columns[j].empty()) {
      s.reason = "no hit in any training document";
    } else if (s.strength < options.weak * strongest) {
      s.reason = fmt::format("weak: strength {:.3f} of {:.3f}", s.strength, strongest);
    } else {
      strong.push_back(j);
      std::vector<double> unit(space[j].begin(), space[j].end());
      normalise(unit);
      units.add(unit);
    }
  }
  const Result<Clustering> clusters = cluster_columns(units, options);
  if (!clusters) return clusters.error();
  refinement.clusters = static_cast<uint32_t>(clusters->clusters());
  for (size_t i = 0; i < strong.size(); ++i) {
    refinement.signatures[strong[i]].cluster = clusters->cluster_of[i];
  }

  std::vector<size_t> order(strong.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return refinement.signatures[strong[a]].strength > refinement.signatures[strong[b]].strength;
  });
  std::vector<size_t> kept;
  for (const size_t i : order) {
    RefinedSignature& s = refinement.signatures[strong[i]];
    const auto same = std::find_if(kept.begin(), kept.end(), [&](size_t k) {
      return clusters->cluster_of[k] == clusters->cluster_of[i] &&
             dot(units[k], units[i]) >= options.redundant;
    });
    if (same == kept.end()) {
      s.kept = true;
      s.reason = fmt::format("kept: strength {:.3f}", s.strength);
      kept.push_back(i);
    } else {
      s.reason = fmt::format("redundant: hits like {} (cosine {:.3f})",
                             training.signatures[strong[*same]], dot(units[*same], units[i]));
    }
  }
  return refinement;
}

}  // namespace dowser
