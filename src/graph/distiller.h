#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/link_graph.h"
#include "graph/ranking.h"
#include "graph/reinforcement.h"

// The best hubs of a topic, as in the focused crawler of Chakrabarti, van den Berg and Dom (1999).
// distiller.cc describes it.

namespace dowser {

struct DistillerOptions {
  ReinforcementLimits limits;
  // ρ: only pages more relevant than this are authorities. The judge's threshold is a good value; 0
  // suits every judge.
  double min_relevance = 0;
  // Ignores links within a host. It is on in the paper and off here, because nothing would be left
  // on a web of one host.
  bool between_hosts_only = false;
  // Each page's own relevance counts too, as in the paper: a list of good links that is itself off
  // the topic is then a poor hub.
  bool own_relevance = false;
  size_t best_hubs = 10;
};

struct Distilled {
  HubsAndAuthorities values;
  std::vector<RankedNode> best_hubs;  // the best first; only values above 0
};

// `relevance` of each node is 0 … 1, and 0 if the page is not known. `hosts` has the host of each
// node, for between_hosts_only; if it is empty, each node is a host of its own.
Distilled distil(const LinkGraph& graph, std::span<const double> relevance,
                 const DistillerOptions& options = {}, std::span<const uint32_t> hosts = {});

}  // namespace dowser
