#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "learn/dense_vectors.h"

// k-means: groups of vectors that lie close together. The algorithm is described in the .cc file.

namespace dowser {

struct KMeansOptions {
  uint32_t clusters = 2;
  uint64_t seed = 1;      // of the random numbers: the same seed gives the same clusters
  uint32_t restarts = 4;  // the best of this many runs is the result
  uint32_t rounds = 100;  // of a run, at most
  // For vectors of length 1: centroids are scaled to length 1 too, so that the nearest centroid is
  // the one with the greatest cosine ("spherical k-means").
  bool unit_centroids = false;
};

struct Clustering {
  DenseVectors centroids;            // none of an empty cluster
  std::vector<uint32_t> cluster_of;  // by vector
  double distortion = 0;             // sum of the squared distances to the own centroid

  size_t clusters() const { return centroids.size(); }
  std::vector<uint32_t> sizes() const;
};

// Fewer clusters than wanted where there are fewer different vectors. An error if there are no
// vectors, or no clusters wanted.
Result<Clustering> k_means(const DenseVectors& vectors, const KMeansOptions& options);

// One run from the given centroids.
Clustering k_means_from(const DenseVectors& vectors, DenseVectors centroids,
                        const KMeansOptions& options);

// The centroid with the least distance; of several the first.
uint32_t nearest_centroid(const DenseVectors& centroids, std::span<const double> v);

}  // namespace dowser
