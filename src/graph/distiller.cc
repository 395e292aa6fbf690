// A page that links to many relevant pages probably links to more that have not been fetched yet.
// The focused crawler looks for such pages from time to time and moves their links ahead (Küçük
// 2009, section 3.1.3.3; Chakrabarti, van den Berg and Dom, "Focused crawling", WWW 1999, and
// "Distributed hypertext resource discovery through examples", VLDB 1999). It is HITS (hits.cc)
// over all known pages, with weights that keep it on the topic, where R is the relevance:
//
//   h(u) = Σ a(v) R(v) over u → v      a(v) = Σ h(u) R(u) over u → v, if R(v) > ρ; else 0
//
// Example in which all relevant pages have R = 1: page 0 links to 2, 3 and 4, page 1 to 4 and 5,
// and 5 is off the topic. The authorities are 2, 3 and 4; 0 is a better hub than 1, and the links
// of page 5 change nothing.
//
// Differences from the papers by Chakrabarti et al., whose text was not at hand:
// - There the weights are the other way round: a(v) = R(v) Σ h(u) and h(u) = R(u) Σ a(v), so no
// page
//   gets more than its own relevance allows. The two are equivalent: substituting a' = R a and
//   h' = R h turns our sums into theirs. So `own_relevance` only multiplies the values by R at the
//   end. It is off by default, because a list of links has few words and judges of text call it
//   irrelevant.
// - Links within a host count unless between_hosts_only is set, because some webs have one host.
// - ρ is the papers' relevance limit; the default of 0 is ours, since each judge has its own scale.
// So
//   is the number of best hubs, of which Küçük says "some".
// - Both vectors have length 1, and the iteration stops at a tolerance; the papers make the sum 1
// and
//   take a fixed number of steps. Edge weights are factors.
//
// Cost: O(nodes + edges) for each step.

#include "graph/distiller.h"

#include <cassert>

namespace dowser {

Distilled distil(const LinkGraph& graph, std::span<const double> relevance,
                 const DistillerOptions& options, std::span<const uint32_t> hosts) {
  assert(relevance.size() == graph.nodes());
  assert(hosts.empty() || hosts.size() == graph.nodes());
  const HostOf host_of(hosts);
  const auto counts = [&](uint32_t from, uint32_t to) {
    return !options.between_hosts_only || host_of(from) != host_of(to);
  };
  const EdgeFactors factors = edge_factors(
      graph,
      [&](uint32_t from, uint32_t to) {
        return counts(from, to) && relevance[to] > options.min_relevance ? relevance[from] : 0;
      },
      [&](uint32_t from, uint32_t to) { return counts(from, to) ? relevance[to] : 0; });

  Distilled result;
  result.values = reinforce(graph, factors, options.limits);
  if (options.own_relevance) {
    for (std::vector<double>* values : {&result.values.hubs, &result.values.authorities}) {
      for (size_t n = 0; n < values->size(); ++n) (*values)[n] *= relevance[n];
      make_unit(*values);
    }
  }
  result.best_hubs = best_nodes(result.values.hubs, options.best_hubs);
  return result;
}

}  // namespace dowser
