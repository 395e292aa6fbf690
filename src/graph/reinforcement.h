#pragma once

#include <functional>
#include <span>
#include <vector>

#include "graph/link_graph.h"

// What HITS and the distiller have in common: hubs and authorities that reinforce each other, with
// a factor for every edge in each of the two sums. Only the factors differ.

namespace dowser {

struct HubsAndAuthorities {
  std::vector<double> hubs, authorities;  // one for each node; each of length 1, or all zero
  int steps = 0;
  bool converged = false;  // false: values still changed in the last step allowed
  double moved = 0;        // the largest change of a value in the last step
};

struct ReinforcementLimits {
  // It has converged if no value changes by more than this in a step. If the two densest parts of a
  // graph are almost equal, values change slowly and may be further from their limit than this.
  double tolerance = 1e-9;
  int max_steps = 1000;
  // Called after each step with the largest change; false ends the iteration.
  std::function<bool(int step, double moved)> on_step;
};

// What an edge contributes to the sums of its two ends, times its weight.
struct EdgeFactors {
  std::vector<double> to_authority;  // by edge number of graph.in()
  std::vector<double> to_hub;        // by edge number of graph.out()
};
using EdgeFactor = std::function<double(uint32_t from, uint32_t to)>;
EdgeFactors edge_factors(const LinkGraph& graph, const EdgeFactor& to_authority,
                         const EdgeFactor& to_hub);

// Starts with equal hubs and computes authorities from hubs and hubs from these authorities, each
// scaled to length 1, until they converge. A step takes O(nodes + edges).
HubsAndAuthorities reinforce(const LinkGraph& graph, const EdgeFactors& factors,
                             const ReinforcementLimits& limits);

// Scales to length 1; zeros stay.
void make_unit(std::vector<double>& values);

// The host of a node. Without numbers each node is a host of its own.
class HostOf {
 public:
  explicit HostOf(std::span<const uint32_t> hosts) : hosts_(hosts) {}
  uint32_t operator()(uint32_t node) const { return hosts_.empty() ? node : hosts_[node]; }

 private:
  std::span<const uint32_t> hosts_;
};

}  // namespace dowser
