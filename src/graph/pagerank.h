#pragma once

#include <span>
#include <vector>

#include "graph/link_graph.h"

// How often a surfer who follows links at random is on each page. The essay is in pagerank.cc.

namespace dowser {

struct PageRankOptions {
  // The chance that the surfer follows a link rather than jumps; 0 … 1, below 1.
  double damping = 0.85;
  // Converged = the changes of all nodes in a step add up to no more than this. The values are
  // then within tolerance × damping / (1 - damping) of their end, added up.
  double tolerance = 1e-10;
  int max_steps = 1000;
};

struct PageRank {
  std::vector<double> values;  // one for each node; they add up to 1
  int steps = 0;
  bool converged = false;
};

// `teleport`: where the surfer lands who jumps, one value for each node in any scale, none
// negative: pages on a topic = topic-sensitive PageRank. Empty or all zero = anywhere.
PageRank pagerank(const LinkGraph& graph, const PageRankOptions& options = {},
                  std::span<const double> teleport = {});

}  // namespace dowser
