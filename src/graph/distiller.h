#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/link_graph.h"
#include "graph/ranking.h"
#include "graph/reinforcement.h"

// Which pages are the best places to go on from: hubs of a topic, as the focused crawler of
// Chakrabarti, van den Berg and Dom (1999) finds them. The essay is in distiller.cc.

namespace dowser {

struct DistillerOptions {
  ReinforcementLimits limits;
  // ρ: only pages more relevant than this are authorities. The judge's own limit is a good one; 0
  // suits every judge.
  double min_relevance = 0;
  // Links within a host do not count. The paper's is on; off here, since on a web of one host
  // nothing would be left.
  bool between_hosts_only = false;
  // Each page's own relevance counts too, as in the paper: a list of good links that is itself
  // off the topic is then a poor hub.
  bool own_relevance = false;
  size_t best_hubs = 10;
};

struct Distilled {
  HubsAndAuthorities values;
  std::vector<RankedNode> best_hubs;  // best first; only hubs above 0
};

// `relevance`: of each node, 0 … 1; 0 where the page is not known. `hosts`: of each node, for
// between_hosts_only; empty = each node is a host of its own.
Distilled distil(const LinkGraph& graph, std::span<const double> relevance,
                 const DistillerOptions& options = {}, std::span<const uint32_t> hosts = {});

}  // namespace dowser
