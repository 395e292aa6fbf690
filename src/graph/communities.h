#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "graph/link_graph.h"

// Groups of pages that link to each other more than to others. communities.cc describes them.

namespace dowser {

struct CommunityOptions {
  int max_passes = 20;  // over all nodes, at each level
  // A pass that improves the modularity by less than this is the last of its level.
  double tolerance = 1e-4;
  // Called after each pass; false ends the search.
  std::function<bool(int level, int pass)> on_pass;
};

struct Communities {
  std::vector<uint32_t> of;  // for each node the number of its community; 0 is the largest
  size_t count = 0;
  double modularity = 0;  // -1/2 … 1
};

// Links count in both directions with their weights; of two pages that link to each other the
// weights add up. The result depends on the graph alone. It is taken by value, so that the memory
// of a temporary one is free while communities are searched.
Communities communities(LinkGraph graph, const CommunityOptions& options = {});

// Σ over communities of (weight inside / m - (weight of its nodes / 2m)²), by the definition.
double modularity(const LinkGraph& graph, const std::vector<uint32_t>& community);

}  // namespace dowser
