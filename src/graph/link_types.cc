// A link is an opinion: somebody thinks that a page is worth a visit. A program that counts links
// counts opinions, as long as each is stated once. A menu states it on every page of a host, and
// who wants a page to rank high writes a thousand pages that link to it. So k links from one site
// to one page do not count k times (Bharat and Henzinger, SIGIR 1998, do so for HITS; here it also
// gives weights for PageRank and for communities):
//
//   boilerplate: on at least half of the pages of a host that has ten or more; k pages: each 1/k
//   external:    k pages of a site link to a page of another site: each 1/k, together one opinion
//   within:      k pages of a site link to a page of their own site: each 1/√k, together √k
//
// Example: site A has pages a0 … a3, each of which links to b of site B and to a0; page c of site C
// links to b too. The four links to b have strength 1/4 each and that of c has 1: b has two
// opinions, not five. The three links to a0 (its own does not count) have 1/√3 each.
//
// What is ours: the root. Links within a site say much about which of its pages are important, so
// Bharat and Henzinger's rule, to drop them, would leave the pages of a large site without an
// order. With the root a page needs four times the links of its own site for twice the weight. In a
// web of one site nobody else could have an opinion: all links within it have strength 1.
// "Half of the pages" and "ten" are those of the view `boilerplate` of the catalogue.
//
// Cost: O(edges log degree), and 9 bytes for each edge.

#include "graph/link_types.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace dowser {
namespace {

constexpr size_t kFewestPages = 10;  // of a host that can have boilerplate

std::vector<size_t> counts_of(std::span<const uint32_t> numbers) {
  std::vector<size_t> counts;
  for (const uint32_t n : numbers) {
    if (n >= counts.size()) counts.resize(n + size_t{1});
    ++counts[n];
  }
  return counts;
}

// How many of a sorted list are equal to `value`.
size_t count_equal(const std::vector<uint32_t>& sorted, uint32_t value) {
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
  return static_cast<size_t>(last - first);
}

}  // namespace

std::vector<double> LinkTypes::discounts() const {
  std::vector<double> all(types.size());
  for (size_t e = 0; e < all.size(); ++e) all[e] = discount(e);
  return all;
}

LinkTypes link_types(const LinkGraph& graph, std::span<const uint32_t> hosts,
                     std::span<const uint32_t> sites) {
  assert(hosts.size() == graph.nodes() && sites.size() == graph.nodes());
  const std::vector<size_t> pages = counts_of(hosts);
  const bool one_site =
      std::all_of(sites.begin(), sites.end(), [&](uint32_t site) { return site == sites.front(); });
  LinkTypes result{std::vector<LinkType>(graph.edges()), std::vector<double>(graph.edges(), 1)};
  std::vector<size_t> next(graph.nodes());  // the edge of each source that leads to `to`
  for (uint32_t n = 0; n < graph.nodes(); ++n) next[n] = graph.out().begin(n);
  std::vector<uint32_t> from_hosts, from_sites;
  for (uint32_t to = 0; to < graph.nodes(); ++to) {
    from_hosts.clear();
    from_sites.clear();
    for (const uint32_t from : graph.in().of(to)) {
      from_hosts.push_back(hosts[from]);
      from_sites.push_back(sites[from]);
    }
    std::sort(from_hosts.begin(), from_hosts.end());
    std::sort(from_sites.begin(), from_sites.end());
    for (const uint32_t from : graph.in().of(to)) {
      const size_t edge = next[from]++;
      const size_t of_host = count_equal(from_hosts, hosts[from]);
      const auto of_site = static_cast<double>(count_equal(from_sites, sites[from]));
      const size_t size = pages[hosts[from]];
      if (size >= kFewestPages && 2 * of_host >= size) {
        result.types[edge] = LinkType::kBoilerplate;
        result.strengths[edge] = 1 / static_cast<double>(of_host);
      } else if (sites[from] != sites[to]) {
        result.strengths[edge] = 1 / of_site;
      } else {
        result.types[edge] = LinkType::kWithin;
        result.strengths[edge] = one_site ? 1 : 1 / std::sqrt(of_site);
      }
    }
  }
  return result;
}

}  // namespace dowser
