#pragma once

#include <cstdint>
#include <span>

#include "graph/link_graph.h"
#include "graph/reinforcement.h"

// Hubs and authorities (Kleinberg 1999), with remedies for what is known to mislead them. The
// essay is in hits.cc.

namespace dowser {

struct HitsOptions {
  ReinforcementLimits limits;
  // All links from one host to a page count together as one for the page's authority, and all
  // links from a page to one host as one for the page as a hub.
  bool share_by_host = false;
  // Links within a host do not count.
  bool drop_within_host = false;
};

// `hosts`: the number of each node's host, which the two options look at; empty = each node is a
// host of its own. `relevance`: of each node, 0 … 1, multiplies what it gives and what it gets;
// empty = 1.
HubsAndAuthorities hits(const LinkGraph& graph, const HitsOptions& options = {},
                        std::span<const uint32_t> hosts = {},
                        std::span<const double> relevance = {});

}  // namespace dowser
