// Some pages say much (authorities), others point to those that do (hubs), and each kind shows the
// other: a good hub points to good authorities, a good authority is pointed to by good hubs.
// Kleinberg, "Authoritative sources in a hyperlinked environment" (JACM 46, 1999); eq. 2-2 and
// figure 2.3 of Küçük 2009:
//
//   a(v) = Σ h(u) over u → v        h(u) = Σ a(v) over u → v
//
// over and over, each vector made of length 1 after each step. Example: 0 → 2, 0 → 3, 1 → 2. Page
// 2 has two hubs and 3 has one; page 0 points to both and is the better hub. The sums settle at
// a(2) : a(3) = h(0) : h(1) = 1.618, the golden ratio.
//
// Küçük's 2.2.1.1 names three failures, and Bharat and Henzinger (SIGIR 1998) have remedies:
//
// 1. Hosts that reinforce each other: forty pages of one host point to one page of another, which
//    is one person's opinion said forty times. share_by_host: where k pages of a host point to a
//    page, each counts 1/k for its authority; where a page points to l pages of a host, each counts
//    1/l for it as a hub.
// 2. Links made by a tool: the menu on every page of a host makes all its pages hubs and
//    authorities of each other. drop_within_host leaves links within a host out. A tool's links to
//    other hosts ("made with …") are not seen as such: share_by_host makes one of them a host.
// 3. Pages off the topic that happen to be well linked draw everything to them. `relevance` damps
//    them at both ends of every link: a(v) = R(v) Σ R(u) h(u), and h(u) = R(u) Σ R(v) a(v).
//
// What differs: Bharat and Henzinger always drop links within a host, here it is a choice of its
// own, since a whole web may be one host. They multiply by relevance what a node gives; here also
// what it gets, so that a page off the topic does not itself come out on top. Küçük's figure adds
// to the old values, for k steps and without lengths: its sums grow without end, but towards the
// same directions. Weights of edges multiply. Nodes without links get 0.
//
// Cost: O(edges) a step; the factors once, O(edges log degree) with share_by_host.

#include "graph/hits.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace dowser {
namespace {

// For each edge of the rows 1/k, where k of the row's neighbours are on the same host.
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
