#include "graph/link_types.h"

#include <cmath>

#include "graph/hits.h"
#include "graph/pagerank.h"
#include "tests/graph/dense.h"

namespace dowser {
namespace {

LinkType type_of(const LinkGraph& graph, const LinkTypes& types, uint32_t from, uint32_t to) {
  for (size_t e = graph.out().begin(from); e < graph.out().end(from); ++e) {
    if (graph.out().neighbour(e) == to) return types.types[e];
  }
  ADD_FAILURE() << "no edge";
  return LinkType::kWithin;
}

double strength_of(const LinkGraph& graph, const LinkTypes& types, uint32_t from, uint32_t to) {
  for (size_t e = graph.out().begin(from); e < graph.out().end(from); ++e) {
    if (graph.out().neighbour(e) == to) return types.strengths[e];
  }
  ADD_FAILURE() << "no edge";
  return -1;
}

// The example of the essay: pages 0 … 3 of site 0 link to 4 of site 1 and to 0, and 5 of site 2
// too.
TEST(LinkTypes, many_links_of_a_site_to_a_page_are_one_opinion) {
  const LinkGraph graph(
      std::vector<Edge>{{0, 4}, {1, 4}, {2, 4}, {3, 4}, {5, 4}, {1, 0}, {2, 0}, {3, 0}});
  const std::vector<uint32_t> sites = {0, 0, 0, 0, 1, 2};
  const LinkTypes types = link_types(graph, sites, sites);
  EXPECT_EQ(type_of(graph, types, 0, 4), LinkType::kExternal);
  EXPECT_EQ(type_of(graph, types, 1, 0), LinkType::kWithin);
  EXPECT_DOUBLE_EQ(strength_of(graph, types, 0, 4), 0.25);
  EXPECT_DOUBLE_EQ(strength_of(graph, types, 5, 4), 1);
  EXPECT_DOUBLE_EQ(strength_of(graph, types, 1, 0), 1 / std::sqrt(3.0));
}

TEST(LinkTypes, what_stands_on_half_of_the_pages_of_a_host_is_boilerplate) {
  std::vector<Edge> edges;
  for (uint32_t n = 1; n < 10; ++n) edges.push_back({n, 0});  // 9 of 10 pages
  for (uint32_t n = 2; n < 6; ++n) edges.push_back({n, 1});   // 4 of 10
  edges.push_back({2, 10});
  const LinkGraph graph(edges);
  std::vector<uint32_t> hosts(11, 0);
  hosts[10] = 1;
  const LinkTypes types = link_types(graph, hosts, hosts);
  EXPECT_EQ(type_of(graph, types, 2, 0), LinkType::kBoilerplate);
  EXPECT_EQ(type_of(graph, types, 2, 1), LinkType::kWithin);
  EXPECT_EQ(type_of(graph, types, 2, 10), LinkType::kExternal);
  EXPECT_DOUBLE_EQ(strength_of(graph, types, 2, 0), 1.0 / 9);
}

TEST(LinkTypes, in_a_web_of_one_site_all_links_but_boilerplate_count_fully) {
  const LinkGraph graph(std::vector<Edge>{{0, 2}, {1, 2}});
  const std::vector<uint32_t> sites(3, 7);
  EXPECT_EQ(link_types(graph, sites, sites).strengths, std::vector<double>({1, 1}));
}

// Twelve pages on twelve sites link to an honest page; a farm of 500 pages on one site links to
// another, and its target links back. One farm promotes a page of its own, one a page elsewhere.
TEST(LinkTypes, link_farms_lose_with_the_remedies_and_win_without) {
  for (const bool own_target : {true, false}) {
    std::vector<Edge> edges;
    std::vector<uint32_t> sites;
    const auto add = [&](uint32_t site) {
      sites.push_back(site);
      return static_cast<uint32_t>(sites.size() - 1);
    };
    const uint32_t honest = add(0), target = add(own_target ? 2 : 1);
    for (uint32_t i = 0; i < 12; ++i) edges.push_back({add(10 + i), honest});
    for (uint32_t i = 0; i < 500; ++i) {
      const uint32_t page = add(2);
      edges.push_back({page, target});
      edges.push_back({target, page});
    }
    const LinkGraph plain(edges, sites.size());
    const LinkTypes types = link_types(plain, sites, sites);
    const LinkGraph strengths = plain.with_weights(types.strengths);
    EXPECT_GT(pagerank(plain).values[target], pagerank(plain).values[honest]);
    PageRankOptions options;
    options.weak_links_jump = true;
    const std::vector<double> rank = pagerank(strengths, options).values;
    EXPECT_LT(rank[target], rank[honest]) << own_target;

    EXPECT_GT(hits(plain).authorities[target], hits(plain).authorities[honest]);
    HitsOptions remedies;
    remedies.share_by_host = remedies.drop_within_host = true;
    const auto found = hits(plain.with_weights(types.discounts()), remedies, sites);
    EXPECT_LT(found.authorities[target], found.authorities[honest]) << own_target;
  }
}

}  // namespace
}  // namespace dowser
