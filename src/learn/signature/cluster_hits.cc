#include "learn/signature/cluster_hits.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/sparse_vector.h"
#include "learn/k_means.h"
#include "learn/truncated_svd.h"
#include "learn/x_means.h"

// Documents are grouped by k-means of their rows (Pinnamaneni 2013: K-means with k = 4). A row is
// ln(1 + hits) for each signature, scaled to length 1, so that a long document is near a short one
// on the same matter; the thesis clusters plain counts. Arrays of more than kMostCells cells are
// first reduced to kReduced dimensions by a singular value decomposition, whose distances are
// nearly the same and fit in memory.
//
// A cluster is described by the signatures whose mean ln(1 + hits) in it is farthest above the mean
// of all documents, and by the documents nearest to its centroid.
//
// The adjusted Rand index counts pairs: n_ij documents of cluster i with label j, a_i and b_j their
// sums,
//
//   ARI = (Σ C(n_ij,2) - E) / (½ (Σ C(a_i,2) + Σ C(b_j,2)) - E),  E = Σ C(a_i,2) Σ C(b_j,2) /
//   C(n,2)
//
// Cost: rows × signatures × clusters for each round of k-means.

namespace dowser {
namespace {

constexpr size_t kMostCells = 5'000'000;
constexpr uint32_t kReduced = 50;

double weight(const HitCount& hit) { return std::log1p(static_cast<double>(hit.count)); }

Result<DenseVectors> unit_rows(const HitsArray& array) {
  const size_t columns = array.signatures.size();
  DenseVectors rows;
  if (array.rows.size() * columns <= kMostCells) {
    rows = DenseVectors(columns, array.rows.size());
    for (size_t i = 0; i < array.rows.size(); ++i) {
      for (const HitCount& hit : array.rows[i].hits) rows[i][hit.signature] = weight(hit);
    }
  } else {
    // The documents are the columns of the matrix, so that `right` holds their coordinates.
    std::vector<SparseVector> documents;
    for (const HitsRow& row : array.rows) {
      std::vector<SparseVector::Entry> entries;
      for (const HitCount& hit : row.hits) entries.push_back({hit.signature, weight(hit)});
      documents.push_back(SparseVector(std::move(entries)).normalised());
    }
    auto svd = truncated_svd(documents, static_cast<uint32_t>(columns), {.dimensions = kReduced});
    if (!svd) return svd.error();
    rows = std::move(svd->right);
    for (size_t i = 0; i < rows.size(); ++i) {
      for (size_t d = 0; d < rows.dimensions(); ++d) rows[i][d] *= svd->values[d];
    }
  }
  for (size_t i = 0; i < rows.size(); ++i) normalise(rows[i]);
  return rows;
}

std::vector<double> mean_weights(const HitsArray& array, std::span<const uint32_t> rows,
                                 std::vector<double>* shares) {
  std::vector<double> means(array.signatures.size());
  if (shares) shares->assign(array.signatures.size(), 0);
  for (const uint32_t row : rows) {
    for (const HitCount& hit : array.rows[row].hits) {
      means[hit.signature] += weight(hit) / static_cast<double>(rows.size());
      if (shares) (*shares)[hit.signature] += 1.0 / static_cast<double>(rows.size());
    }
  }
  return means;
}

void describe(const HitsArray& array, const std::vector<double>& overall, size_t most,
              HitsCluster& cluster) {
  std::vector<double> shares;
  const std::vector<double> means = mean_weights(array, cluster.rows, &shares);
  for (uint32_t s = 0; s < means.size(); ++s) {
    const double lead = means[s] - overall[s];
    if (lead > 0) cluster.marks.push_back({s, lead, shares[s]});
  }
  std::stable_sort(cluster.marks.begin(), cluster.marks.end(),
                   [](const auto& a, const auto& b) { return a.lead > b.lead; });
  if (cluster.marks.size() > most) cluster.marks.resize(most);
}

double pairs(double n) { return n * (n - 1) / 2; }

}  // namespace

Result<HitsClusters> cluster_hits(const HitsArray& array, const ClusterHitsOptions& options) {
  if (array.rows.empty()) {
    return Error{"the hits array has no rows: no document has a hit, so there is nothing to group"};
  }
  const Result<DenseVectors> rows = unit_rows(array);
  if (!rows) return rows.error();
  const auto n = static_cast<uint32_t>(rows->size());
  uint32_t k = options.clusters;
  if (k == 0) {
    const Result<Clustering> found =
        x_means(*rows, {.least = 1, .most = std::min(12u, n), .seed = options.seed});
    if (!found) return found.error();
    k = static_cast<uint32_t>(found->clusters());
  }
  const Result<Clustering> found =
      k_means(*rows, {.clusters = k, .seed = options.seed, .restarts = 10, .unit_centroids = true});
  if (!found) return found.error();

  HitsClusters result;
  result.clusters.resize(found->clusters());
  for (uint32_t i = 0; i < n; ++i) result.clusters[found->cluster_of[i]].rows.push_back(i);
  std::vector<uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0u);
  const std::vector<double> overall = mean_weights(array, all, nullptr);
  for (uint32_t c = 0; c < result.clusters.size(); ++c) {
    HitsCluster& cluster = result.clusters[c];
    std::stable_sort(cluster.rows.begin(), cluster.rows.end(), [&](uint32_t a, uint32_t b) {
      return dot((*rows)[a], found->centroids[c]) > dot((*rows)[b], found->centroids[c]);
    });
    describe(array, overall, options.most_marks, cluster);
  }
  std::stable_sort(
      result.clusters.begin(), result.clusters.end(),
      [](const HitsCluster& a, const HitsCluster& b) { return a.rows.size() > b.rows.size(); });
  result.cluster_of.resize(n);
  for (uint32_t c = 0; c < result.clusters.size(); ++c) {
    for (const uint32_t row : result.clusters[c].rows) result.cluster_of[row] = c;
  }
  return result;
}

double purity(std::span<const uint32_t> clusters, std::span<const uint32_t> labels) {
  std::map<uint32_t, std::map<uint32_t, size_t>> table;
  for (size_t i = 0; i < clusters.size(); ++i) ++table[clusters[i]][labels[i]];
  size_t right = 0;
  for (const auto& [cluster, counts] : table) {
    size_t most = 0;
    for (const auto& [label, count] : counts) most = std::max(most, count);
    right += most;
  }
  return clusters.empty() ? 0 : static_cast<double>(right) / static_cast<double>(clusters.size());
}

double adjusted_rand_index(std::span<const uint32_t> clusters, std::span<const uint32_t> labels) {
  std::map<std::pair<uint32_t, uint32_t>, double> both;
  std::map<uint32_t, double> of_cluster, of_label;
  for (size_t i = 0; i < clusters.size(); ++i) {
    ++both[{clusters[i], labels[i]}], ++of_cluster[clusters[i]], ++of_label[labels[i]];
  }
  double together = 0, a = 0, b = 0;
  for (const auto& [key, n] : both) together += pairs(n);
  for (const auto& [key, n] : of_cluster) a += pairs(n);
  for (const auto& [key, n] : of_label) b += pairs(n);
  const double all = pairs(static_cast<double>(clusters.size()));
  const double expected = all == 0 ? 0 : a * b / all;
  const double most = (a + b) / 2;
  return most == expected ? 1 : (together - expected) / (most - expected);
}

}  // namespace dowser
