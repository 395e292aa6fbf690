#pragma once

#include <cstdint>
#include <span>

#include "graph/link_graph.h"
#include "graph/reinforcement.h"

// Hubs and authorities (Kleinberg 1999), with remedies for known problems. hits.cc describes it.

namespace dowser {

struct HitsOptions {
  ReinforcementLimits limits;
  // All links from one host to a page count as one for the page's authority, and all links from a
  // page to one host count as one for the page as a hub.
  bool share_by_host = false;
  // Ignores links within a host.
  bool drop_within_host = false;
};

// `hosts` has the host number of each node, for the two options; if it is empty, each node is a
// host of its own. `relevance` of each node, 0 … 1, multiplies what it gives and what it gets;
// empty means 1.
HubsAndAuthorities hits(const LinkGraph& graph, const HitsOptions& options = {},
                        std::span<const uint32_t> hosts = {},
                        std::span<const double> relevance = {});

}  // namespace dowser
