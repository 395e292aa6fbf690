#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "learn/signature/hits_array.h"

// Groups the documents of a hits array, and says how well groups agree with labels. Described in
// the .cc file.

namespace dowser {

struct HitsCluster {
  std::vector<uint32_t> rows;  // those nearest to its centre first
  struct Mark {
    uint32_t signature;
    double lead;   // how much more it has than all documents in the mean, by ln(1 + hits)
    double share;  // of the cluster's documents that it hits
  };
  std::vector<Mark> marks;  // what distinguishes it from the others, strongest first
};

struct HitsClusters {
  std::vector<HitsCluster> clusters;  // the largest first
  std::vector<uint32_t> cluster_of;   // by row
};

struct ClusterHitsOptions {
  uint32_t clusters = 4;  // 4 in Pinnamaneni 2013; 0: as many as the data show
  uint32_t most_marks = 8;
  uint64_t seed = 1;
};
Result<HitsClusters> cluster_hits(const HitsArray& array, const ClusterHitsOptions& options = {});

// The share of documents whose label is the most frequent one of their cluster.
double purity(std::span<const uint32_t> clusters, std::span<const uint32_t> labels);
// Hubert and Arabie 1985: 1 for equal groups, about 0 for random ones.
double adjusted_rand_index(std::span<const uint32_t> clusters, std::span<const uint32_t> labels);

}  // namespace dowser
