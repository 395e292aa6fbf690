#include "learn/signature/learn_signatures.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "learn/k_means.h"
#include "learn/x_means.h"

// The Automated Learner Tool (Pinnamaneni 2013, chapter 3): the vectors of a group in all training
// documents are clustered, and each cluster that is large enough is a signature.
//
//   centroid   of the cluster, scaled to length 1
//   angle      the 90 % quantile of the angles between its members and the centroid, at least
//              0.01 rad: a tenth of the members are taken for outliers
//
// Vectors are scaled to length 1 and clustered by k-means with the cosine. Without a given number
// of clusters, x-means finds it between 1 and `most_clusters`, by the Bayesian information
// criterion.
//
// Example: the head "nest" occurs six times right before "egg" and four times five words after
// "feather", "egg" being far away. These are two directions, so two signatures:
// tr_nest_egg_feather_1 and _2. A text that has "egg nest" is near neither of them.
//
// The thesis says "vector refinement and the clustering algorithm specified" and that the cosine
// distance is used; the refinement (a head without company gives no vector, clusters of fewer than
// 3 vectors are dropped), the quantile and its floor are ours.
//
// Cost: that of x-means on the vectors of a group, nine dimensions each.

namespace dowser {
namespace {

Result<uint32_t> number_of_clusters(const DenseVectors& vectors,
                                    const LearnSignatureOptions& options) {
  if (options.clusters > 0) return options.clusters;
  const Result<Clustering> found = x_means(
      vectors, {.least = 1, .most = std::max(1u, options.most_clusters), .seed = options.seed});
  if (!found) return found.error();
  return static_cast<uint32_t>(found->clusters());
}

double quantile_of(std::vector<double> angles, double quantile) {
  std::sort(angles.begin(), angles.end());
  const double rank = std::ceil(quantile * static_cast<double>(angles.size()));
  return angles[static_cast<size_t>(
      std::clamp(rank - 1, 0.0, static_cast<double>(angles.size() - 1)))];
}

}  // namespace

double angle_to(const SignatureVector& unit, const SignatureVector& vector) {
  double product = 0, square = 0;
  for (size_t i = 0; i < kSignatureDimensions; ++i) {
    product += unit[i] * vector[i];
    square += vector[i] * vector[i];
  }
  if (square == 0) return std::acos(0.0);
  return std::acos(std::clamp(product / std::sqrt(square), -1.0, 1.0));
}

std::vector<Signature> learn_signatures(std::span<const PlacedVector> vectors,
                                        const LearnSignatureOptions& options) {
  if (vectors.empty()) return {};
  DenseVectors units(kSignatureDimensions);
  for (const PlacedVector& v : vectors) {
    SignatureVector unit = v.vector;
    normalise(unit);
    units.add(unit);
  }
  const Result<uint32_t> clusters = number_of_clusters(units, options);
  if (!clusters) return {};
  const Result<Clustering> clustering =
      k_means(units, {.clusters = *clusters, .seed = options.seed, .unit_centroids = true});
  if (!clustering) return {};

  std::vector<Signature> signatures;
  for (uint32_t c = 0; c < clustering->clusters(); ++c) {
    Signature signature;
    const auto centroid = clustering->centroids[c];
    std::copy(centroid.begin(), centroid.end(), signature.centroid.begin());
    std::set<uint32_t> documents;
    std::vector<double> angles;
    for (size_t i = 0; i < vectors.size(); ++i) {
      if (clustering->cluster_of[i] != c) continue;
      signature.vectors.push_back(vectors[i].vector);
      documents.insert(vectors[i].document);
      angles.push_back(angle_to(signature.centroid, vectors[i].vector));
    }
    if (signature.vectors.size() < options.least_support) continue;
    signature.support = static_cast<uint32_t>(signature.vectors.size());
    signature.documents = static_cast<uint32_t>(documents.size());
    signature.angle =
        std::max(options.least_angle, quantile_of(std::move(angles), options.quantile));
    signatures.push_back(std::move(signature));
  }
  std::stable_sort(signatures.begin(), signatures.end(),
                   [](const Signature& a, const Signature& b) { return a.support > b.support; });
  return signatures;
}

}  // namespace dowser
