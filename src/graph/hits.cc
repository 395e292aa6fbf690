// Hubs and authorities reinforce each other: a good hub links to good authorities, and good hubs
// link to a good authority. Kleinberg, "Authoritative sources in a hyperlinked environment" (JACM
// 46, 1999); Küçük 2009, equation 2-2 and figure 2.3:
//
//   a(v) = Σ h(u) over u → v        h(u) = Σ a(v) over u → v
//
// repeatedly, with each vector scaled to length 1 after each step. Example: 0 → 2, 0 → 3, 1 → 2.
// Page 2 has two hubs and page 3 has one; page 0 links to both and is the better hub. The sums
// converge to a(2) : a(3) = h(0) : h(1) = 1.618, the golden ratio.
//
// Küçük (section 2.2.1.1) names three problems, for which Bharat and Henzinger (SIGIR 1998) have
// remedies:
//
// 1. Hosts that reinforce each other: forty pages of one host link to one page of another, which is
//    one opinion stated forty times. share_by_host: if k pages of a host link to a page, each
//    counts 1/k for its authority; if a page links to l pages of a host, each counts 1/l for it as
//    a hub.
// 2. Generated links: the menu on every page of a host makes all its pages hubs and authorities of
//    each other. drop_within_host ignores links within a host. Generated links to other hosts
//    ("made with …") are not recognised; share_by_host counts them as one for each host.
// 3. Pages off the topic that happen to have many links attract everything. `relevance` damps them
// at
//    both ends of every link: a(v) = R(v) Σ R(u) h(u), and h(u) = R(u) Σ R(v) a(v).
//
// Differences: Bharat and Henzinger always ignore links within a host; here it is an option, since
// a whole web may be one host. They multiply what a node gives by its relevance; here also what it
// gets, so that a page off the topic cannot be at the top. Küçük's figure adds to the old values
// for k steps without scaling: its sums grow without limit, but in the same directions. Edge
// weights are factors. Nodes without links get 0.
//
// Cost: O(edges) for each step, and once O(edges log degree) with share_by_host.

#include "graph/hits.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace dowser {
namespace {

// For each edge of the rows 1/k, where k neighbours of the row are on the same host.
std::vector<double> shares(const Rows& rows, const HostOf& host_of) {
  std::vector<double> share;
  share.reserve(rows.edges());
  std::vector<uint32_t> hosts;
  for (uint32_t n = 0; n < rows.nodes(); ++n) {
    hosts.clear();
    for (const uint32_t other : rows.of(n)) hosts.push_back(host_of(other));
    std::sort(hosts.begin(), hosts.end());
    for (const uint32_t other : rows.of(n)) {
      const auto same = std::equal_range(hosts.begin(), hosts.end(), host_of(other));
      share.push_back(1.0 / static_cast<double>(same.second - same.first));
    }
  }
  return share;
}

void multiply(std::vector<double>& values, const std::vector<double>& factors) {
  for (size_t i = 0; i < values.size(); ++i) values[i] *= factors[i];
}

}  // namespace

HubsAndAuthorities hits(const LinkGraph& graph, const HitsOptions& options,
                        std::span<const uint32_t> hosts, std::span<const double> relevance) {
  assert(hosts.empty() || hosts.size() == graph.nodes());
  assert(relevance.empty() || relevance.size() == graph.nodes());
  const HostOf host_of(hosts);
  const auto factor = [&](uint32_t from, uint32_t to) {
    if (options.drop_within_host && host_of(from) == host_of(to)) return 0.0;
    return relevance.empty() ? 1.0 : relevance[from] * relevance[to];
  };
  EdgeFactors factors = edge_factors(graph, factor, factor);
  if (options.share_by_host) {
    multiply(factors.to_authority, shares(graph.in(), host_of));
    multiply(factors.to_hub, shares(graph.out(), host_of));
  }
  return reinforce(graph, factors, options.limits);
}

}  // namespace dowser
