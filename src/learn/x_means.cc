#include "learn/x_means.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/random.h"

// X-means (Pelleg and Moore 2000): k-means needs the number of clusters; this finds it, between
// `least` and `most`.
//
//   start     k-means with `least` clusters
//   split     each cluster is divided in two by a k-means of its own; it stays divided where two
//             centroids explain its vectors better than one, by the criterion below
//   improve   k-means with all centroids from where they are now
//
// Splitting and improving are repeated until no cluster wants to be divided or there are `most`.
// Where more clusters want to be divided than there is room for, those that gain most are. Of all
// the clusterings on the way the one with the best criterion is the result.
//
// The criterion is the Bayesian information criterion (Schwarz 1978) of a mixture of Gaussians that
// all have the same variance in every direction, the model that k-means fits:
//
//   BIC = l - p/2 ln R                                   R vectors, K clusters, M dimensions
//   l   = sum over clusters of R_k ln(R_k / R) - RM/2 ln(2 pi s²) - M (R - K) / 2
//   s²  = distortion / (M (R - K))                       the unbiased estimate
//   p   = (K - 1) + KM + 1                               shares of the clusters, centroids, s²
//
// Why this one: more centroids always lower the distortion, so a penalty is needed; this one
// follows from the model that k-means fits already, and has nothing to tune. Pelleg and Moore print
// s² without the M and the likelihood with it, which do not belong together: with many dimensions
// their s² is M times too large, the likelihood hardly reacts to a better fit, and no cluster is
// ever divided. s² is not let below 1e-12, so that identical vectors have a finite likelihood.
//
// Vectors of many dimensions that hardly resemble each other, such as the pages of a few browsing
// sessions, have no balls for k-means to find: its distortion is least with a few clusters of a
// single vector and one of all the rest. `smallest` forbids that. A split is refused if a half
// would be smaller, and a k-means that ends with a smaller cluster continues without its centroid,
// the smallest one first, until there is none.
//
// The result depends on where k-means begins; `restarts` whole runs are made, and the one with the
// best criterion is kept. Everything random comes from `seed`.
//
// Cost: about `most` / `least` + 2 times that of k-means with `most` clusters.

namespace dowser {
namespace {

constexpr double kLeastVariance = 1e-12;
constexpr uint32_t kSplitRestarts = 3;

DenseVectors members(const DenseVectors& vectors, const Clustering& clustering, uint32_t cluster) {
  DenseVectors own(vectors.dimensions());
  for (size_t i = 0; i < vectors.size(); ++i) {
    if (clustering.cluster_of[i] == cluster) own.add(vectors[i]);
  }
  return own;
}

// The same vectors as one cluster.
Clustering undivided(const DenseVectors& vectors) {
  return k_means_from(vectors,
                      [&] {
                        DenseVectors any(vectors.dimensions());
                        any.add(vectors[0]);
                        return any;
                      }(),
                      {});
}

struct Split {
  double gain = 0;
  DenseVectors centroids;
};

// The same without clusters of fewer than `smallest` vectors, unless only one cluster is left.
Clustering without_small(const DenseVectors& vectors, Clustering clustering, uint32_t smallest) {
  while (clustering.clusters() > 1) {
    const std::vector<uint32_t> sizes = clustering.sizes();
    const auto least = std::min_element(sizes.begin(), sizes.end());
    if (*least >= smallest) break;
    DenseVectors kept(vectors.dimensions());
    for (size_t c = 0; c < sizes.size(); ++c) {
      if (c != static_cast<size_t>(least - sizes.begin())) {
        kept.add(std::as_const(clustering.centroids)[c]);
      }
    }
    clustering = k_means_from(vectors, std::move(kept), {});
  }
  return clustering;
}

std::optional<Split> split_of(const DenseVectors& own, uint64_t seed, uint32_t smallest) {
  if (own.size() < 3) return std::nullopt;
  const Result<Clustering> two =
      k_means(own, {.clusters = 2, .seed = seed, .restarts = kSplitRestarts});
  if (!two || two->clusters() < 2) return std::nullopt;
  const std::vector<uint32_t> sizes = two->sizes();
  if (std::min(sizes[0], sizes[1]) < smallest) return std::nullopt;
  const double gain = bayesian_information(own, *two) - bayesian_information(own, undivided(own));
  if (gain <= 0) return std::nullopt;
  return Split{gain, two->centroids};
}

// The centroids after the splits that pay, as many as there is room for; nothing if none does.
std::optional<DenseVectors> divide(const DenseVectors& vectors, const Clustering& now,
                                   const XMeansOptions& options, Random& random) {
  std::vector<std::optional<Split>> splits;
  std::vector<double> gains;
  for (uint32_t c = 0; c < now.clusters(); ++c) {
    splits.push_back(split_of(members(vectors, now, c), random.next(), options.smallest));
    if (splits.back()) gains.push_back(splits.back()->gain);
  }
  const size_t room = options.most - now.clusters();
  if (gains.empty() || room == 0) return std::nullopt;
  std::sort(gains.begin(), gains.end(), std::greater<>());
  const double least_gain = gains[std::min(room, gains.size()) - 1];
  DenseVectors centroids(vectors.dimensions());
  size_t left = room;
  for (uint32_t c = 0; c < now.clusters(); ++c) {
    if (splits[c] && splits[c]->gain >= least_gain && left > 0) {
      --left;
      centroids.add(std::as_const(splits[c]->centroids)[0]);
      centroids.add(std::as_const(splits[c]->centroids)[1]);
    } else {
      centroids.add(now.centroids[c]);
    }
  }
  return centroids;
}

}  // namespace

double bayesian_information(const DenseVectors& vectors, const Clustering& clustering) {
  const auto count = static_cast<double>(vectors.size());
  const auto clusters = static_cast<double>(clustering.clusters());
  const auto dimensions = static_cast<double>(vectors.dimensions());
  const double freedom = dimensions * std::max(count - clusters, 1.0);
  const double variance = std::max(clustering.distortion / freedom, kLeastVariance);
  double likelihood = -count * dimensions / 2 * std::log(2 * std::numbers::pi * variance) -
                      clustering.distortion / variance / 2;
  for (const uint32_t size : clustering.sizes()) {
    if (size > 0) likelihood += size * std::log(size / count);
  }
  const double parameters = clusters - 1 + clusters * dimensions + 1;
  return likelihood - parameters / 2 * std::log(count);
}

Result<Clustering> x_means(const DenseVectors& vectors, const XMeansOptions& options) {
  if (options.least == 0 || options.least > options.most) {
    return Error{
        "X-means needs at least one cluster, and its largest number must not be below its "
        "smallest"};
  }
  Random random(options.seed);
  std::optional<Clustering> best;
  double best_information = 0;
  const auto consider = [&](const Clustering& clustering) {
    const double information = bayesian_information(vectors, clustering);
    if (best && information <= best_information) return;
    best = clustering;
    best_information = information;
  };
  for (uint32_t i = 0; i < std::max(options.restarts, 1u); ++i) {
    Result<Clustering> now =
        k_means(vectors, {.clusters = options.least, .seed = random.next(), .restarts = 1});
    if (!now) return now.error();
    now = without_small(vectors, std::move(*now), options.smallest);
    consider(*now);
    while (auto centroids = divide(vectors, *now, options, random)) {
      const size_t before = now->clusters();
      now = without_small(vectors, k_means_from(vectors, std::move(*centroids), {}),
                          options.smallest);
      consider(*now);
      if (now->clusters() <= before) break;
    }
  }
  return std::move(*best);
}

}  // namespace dowser
