// The power iteration. If all factors are 1, the two sums are a = Aᵀh and h = Aa, so a converges to
// the principal eigenvector of AᵀA, starting from the in-degrees (Kleinberg 1999). It does not
// oscillate for any factors above 0: an authority feeds each of its hubs and is fed by them again,
// so every node with a value leads back to itself after one step.
//
// If the graph is not connected, its parts grow at different rates, and only the fastest keep
// values above 0; the others vanish by a factor in each step. That is a property of HITS, not an
// error.

#include "graph/reinforcement.h"

#include <algorithm>
#include <cmath>

namespace dowser {
namespace {

// values[n] = the sum over the edges of n of factor × value of the other end, scaled to length 1.
// Returns the largest change of a value.
double update(const Rows& rows, const std::vector<double>& factors,
              const std::vector<double>& others, std::vector<double>& values,
              std::vector<double>& before) {
  values.swap(before);
  for (uint32_t n = 0; n < rows.nodes(); ++n) {
    double sum = 0;
    for (size_t e = rows.begin(n); e < rows.end(n); ++e) {
      sum += factors[e] * others[rows.neighbour(e)];
    }
    values[n] = sum;
  }
  make_unit(values);
  double moved = 0;
  for (size_t n = 0; n < values.size(); ++n) {
    moved = std::max(moved, std::abs(values[n] - before[n]));
  }
  return moved;
}

}  // namespace

void make_unit(std::vector<double>& values) {
  // Divides by the largest value first: squares of very small or large values would over- or
  // underflow.
  double largest = 0, sum = 0;
  for (const double v : values) largest = std::max(largest, v);
  if (largest == 0) return;
  for (double& v : values) {
    v /= largest;
    sum += v * v;
  }
  const double length = std::sqrt(sum);
  for (double& v : values) v /= length;
}

EdgeFactors edge_factors(const LinkGraph& graph, const EdgeFactor& to_authority,
                         const EdgeFactor& to_hub) {
  EdgeFactors factors;
  factors.to_authority.reserve(graph.edges());
  factors.to_hub.reserve(graph.edges());
  for (uint32_t n = 0; n < graph.nodes(); ++n) {
    for (size_t e = graph.in().begin(n); e < graph.in().end(n); ++e) {
      const double weight = graph.in().weight(e);
      factors.to_authority.push_back(weight * to_authority(graph.in().neighbour(e), n));
    }
    for (size_t e = graph.out().begin(n); e < graph.out().end(n); ++e) {
      const double weight = graph.out().weight(e);
      factors.to_hub.push_back(weight * to_hub(n, graph.out().neighbour(e)));
    }
  }
  return factors;
}

HubsAndAuthorities reinforce(const LinkGraph& graph, const EdgeFactors& factors,
                             const ReinforcementLimits& limits) {
  HubsAndAuthorities result;
  result.hubs.assign(graph.nodes(), 1);
  make_unit(result.hubs);
  result.authorities = result.hubs;
  std::vector<double> before(graph.nodes());
  while (!result.converged && result.steps < limits.max_steps) {
    const double authorities =
        update(graph.in(), factors.to_authority, result.hubs, result.authorities, before);
    const double hubs =
        update(graph.out(), factors.to_hub, result.authorities, result.hubs, before);
    ++result.steps;
    result.moved = std::max(authorities, hubs);
    result.converged = result.moved <= limits.tolerance;
    if (limits.on_step && !limits.on_step(result.steps, result.moved)) break;
  }
  return result;
}

}  // namespace dowser
