#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/terms.h"

// The words that distinguish a cluster of documents from the others, for people. The two measures
// are described in the .cc file.

namespace dowser {

struct ClusterWord {
  TermId term;
  double value;
};

struct ClusterWords {
  std::vector<ClusterWord> by_log_odds;  // strongest first
  std::vector<ClusterWord> by_mutual_information;
};

// For each cluster 0 … clusters - 1 the `most` strongest words by both measures; only words that
// are more frequent in the cluster than outside it. A document is a list of terms in ascending
// order of id and belongs to cluster_of[i].
std::vector<ClusterWords> cluster_words(std::span<const std::span<const TermCount>> documents,
                                        std::span<const uint32_t> cluster_of, uint32_t clusters,
                                        size_t most = 30);

}  // namespace dowser
