#pragma once

#include <functional>
#include <span>
#include <vector>

#include "graph/link_graph.h"

// What HITS and the distiller share: hubs and authorities that make each other, each sum with its
// own factor for every edge. They differ in the factors only.

namespace dowser {

struct HubsAndAuthorities {
  std::vector<double> hubs, authorities;  // one for each node; each of length 1, or all zero
  int steps = 0;
  bool converged = false;  // no: they still moved when the last step allowed was done
};

struct ReinforcementLimits {
  // Converged = no value moves further than this in a step. A graph whose two densest parts are
  // nearly equal moves slowly: its values may then be further from their end than the tolerance.
  double tolerance = 1e-9;
  int max_steps = 1000;
};

// What an edge from → to contributes to the sum of either of its ends, times its weight.
struct EdgeFactors {
  std::vector<double> to_authority;  // by the edge numbers of graph.in()
  std::vector<double> to_hub;        // by those of graph.out()
};
using EdgeFactor = std::function<double(uint32_t from, uint32_t to)>;
EdgeFactors edge_factors(const LinkGraph& graph, const EdgeFactor& to_authority,
                         const EdgeFactor& to_hub);

// From all hubs equal: authorities from hubs, hubs from those authorities, each then made of
// length 1, until they stand still. A step takes O(nodes + edges).
HubsAndAuthorities reinforce(const LinkGraph& graph, const EdgeFactors& factors,
                             const ReinforcementLimits& limits);

// Makes the length 1; zeros stay.
void make_unit(std::vector<double>& values);

// Which host a node is on. Without numbers each node is a host of its own.
class HostOf {
 public:
  explicit HostOf(std::span<const uint32_t> hosts) : hosts_(hosts) {}
  uint32_t operator()(uint32_t node) const { return hosts_.empty() ? node : hosts_[node]; }

 private:
  std::span<const uint32_t> hosts_;
};

}  // namespace dowser
