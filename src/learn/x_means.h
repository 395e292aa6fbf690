#pragma once

#include <cstdint>

#include "base/result.h"
#include "learn/k_means.h"

// X-means: k-means that finds the number of clusters itself. The algorithm and its criterion are
// described in the .cc file.

namespace dowser {

struct XMeansOptions {
  uint32_t least = 3;  // clusters; 3 to 8 are those of Liu, Janssen and Milios 2005
  uint32_t most = 8;
  uint64_t seed = 1;
  uint32_t restarts = 4;  // the best of this many runs is the result
  uint32_t smallest = 1;  // vectors in a cluster, at least
};

// Fewer than `least` clusters where there are fewer different vectors, or too few for clusters of
// the smallest size. An error if there are no vectors, or `least` is 0 or above `most`.
Result<Clustering> x_means(const DenseVectors& vectors, const XMeansOptions& options = {});

// How well the clusters explain the vectors: the greater, the better.
double bayesian_information(const DenseVectors& vectors, const Clustering& clustering);

}  // namespace dowser
