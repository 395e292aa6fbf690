// A page that points to many relevant pages probably points to more that have not been fetched
// yet. The focused crawler finds such pages now and then during the crawl and moves their links
// ahead (Küçük 2009, 3.1.3.3; Chakrabarti, van den Berg and Dom, "Focused crawling", WWW 1999, and
// "Distributed hypertext resource discovery through examples", VLDB 1999). It is HITS (hits.cc)
// over all pages known, where relevance R keeps the values on the topic:
//
//   h(u) = Σ a(v) R(v) over u → v      a(v) = Σ h(u) R(u) over u → v, if R(v) > ρ; else 0
//
// What flows back over a link counts as much as the page it leads to is relevant, what flows
// forward as much as the page that has the link is. Example, with all relevant pages at R = 1:
// page 0 points to 2, 3 and 4, page 1 to 4 and to 5, and 5 is off the topic. Authorities are 2, 3
// and 4; 0 is a better hub than 1, and what stands on page 5 changes nothing.
//
// What differs from the papers, as we remember them (their text was not at hand):
// - There the weights stand the other way round, a(v) = R(v) Σ h(u) and h(u) = R(u) Σ a(v): no page
//   gets more than its own relevance lets it. The two are one: put a' = R a and h' = R h into our
//   sums and theirs come out. So `own_relevance` just multiplies the values by R at the end. It is
//   off, because a list of links has few words, and judges of text call it irrelevant.
// - Links within a host count unless between_hosts_only is set: there are webs of one host.
// - ρ is the papers' relevance limit; 0 is ours, as judges have scales of their own. So is the
//   number of best hubs, of which Küçük says "some".
// - Both vectors have length 1 and stop at a tolerance; the papers make the sum 1 and take a fixed
//   number of steps. Weights of edges multiply.
//
// Cost: O(nodes + edges) a step.

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
