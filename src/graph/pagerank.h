#pragma once

#include <functional>
#include <span>
#include <vector>

#include "graph/link_graph.h"

// The share of time that a random surfer spends on each page. pagerank.cc describes it.

namespace dowser {

struct PageRankOptions {
  // The probability that the surfer follows a link instead of jumping; from 0 to below 1.
  double damping = 0.85;
  // It has converged if the changes of all nodes in a step add up to no more than this. The values
  // are then within tolerance × damping / (1 - damping) of the solution, added up.
  double tolerance = 1e-10;
  int max_steps = 1000;
  // Weights from 0 to 1 are the probability that the surfer really follows a link that was chosen
  // among all links of the page with equal chances; otherwise the surfer jumps. Without it a page
  // whose links all have small weights gives as much as any other.
  bool weak_links_jump = false;
  // Called after each step with the sum of the changes; false ends the iteration.
  std::function<bool(int step, double moved)> on_step;
};

struct PageRank {
  std::vector<double> values;  // one for each node; they add up to 1
  int steps = 0;
  bool converged = false;
  double moved = 0;  // the changes of the last step, added up
};

// `teleport` says where the surfer jumps to: one value for each node, on any scale, none negative.
// With the pages of a topic it is topic-sensitive PageRank. Empty or all zero means anywhere.
PageRank pagerank(const LinkGraph& graph, const PageRankOptions& options = {},
                  std::span<const double> teleport = {});

}  // namespace dowser
