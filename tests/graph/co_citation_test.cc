#include "graph/co_citation.h"

#include <algorithm>

#include "tests/graph/dense.h"

namespace dowser {
namespace {

using List = std::vector<CoCited>;

TEST(CoCitation, the_example_of_the_header_is_right) {
  const LinkGraph g(std::vector<Edge>{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {4, 3}});
  EXPECT_EQ(co_citations(g, 2, 3), 2u);
  EXPECT_EQ(co_citations(g, 3, 3), 3u);
  EXPECT_EQ(co_citations(g, 0, 2), 0u);
  EXPECT_NEAR(co_citation_similarity(g, 2, 3), 2.0 / 3, 1e-15);
  EXPECT_EQ(co_citation_similarity(g, 2, 2), 1);
  EXPECT_EQ(co_citation_similarity(g, 0, 1), 0);
}

TEST(CoCitation, counts_go_before_similarity_and_similarity_before_numbers) {
  // With page 9: 1 twice, 2 once and cited elsewhere, 3 and 4 once.
  const LinkGraph g(std::vector<Edge>{
      {5, 9}, {6, 9}, {5, 1}, {6, 1}, {7, 1}, {7, 2}, {5, 2}, {6, 3}, {6, 4}, {7, 0}});
  EXPECT_EQ(most_co_cited(g, 9, 9),
            (List{{1, 2, 2.0 / 3}, {3, 1, 0.5}, {4, 1, 0.5}, {2, 1, 1.0 / 3}}));
  EXPECT_EQ(most_co_cited(g, 9, 1), (List{{1, 2, 2.0 / 3}}));
  EXPECT_EQ(most_co_cited(g, 9, 0), List{});
}

TEST(CoCitation, on_stars_and_cycles_and_without_links_there_is_none) {
  const LinkGraph star(std::vector<Edge>{{1, 0}, {2, 0}, {3, 0}});
  const LinkGraph cycle(std::vector<Edge>{{0, 1}, {1, 2}, {2, 0}});
  const LinkGraph lonely({}, 2);
  EXPECT_EQ(most_co_cited(star, 0, 5), List{});
  EXPECT_EQ(most_co_cited(cycle, 0, 5), List{});
  EXPECT_EQ(most_co_cited(lonely, 0, 5), List{});
  EXPECT_EQ(co_citation_similarity(lonely, 0, 1), 0);
}

RC_GTEST_PROP(CoCitation, coupling_is_that_of_the_graph_turned_round, ()) {
  const RandomGraph r = any_graph();
  std::vector<Edge> turned;
  for (const Edge& edge : r.edges) turned.push_back({edge.to, edge.from});
  const auto node = *rc::gen::inRange<uint32_t>(0, static_cast<uint32_t>(r.nodes));
  RC_ASSERT(most_coupled(LinkGraph(r.edges, r.nodes), node, 100) ==
            most_co_cited(LinkGraph(turned, r.nodes), node, 100));
}

RC_GTEST_PROP(CoCitation, counts_are_those_of_the_matrix, ()) {
  const RandomGraph r = any_graph();
  const LinkGraph g = r.graph();
  Matrix links = r.matrix();
  for (Vector& row : links) {
    for (double& x : row) x = x > 0;
  }
  const Matrix common = times(transposed(links), links);
  const auto node = *rc::gen::inRange<uint32_t>(0, static_cast<uint32_t>(r.nodes));
  List expected;
  for (uint32_t other = 0; other < r.nodes; ++other) {
    const double both = common[node][other];
    const double either = common[node][node] + common[other][other] - both;
    const double similarity = either > 0 ? both / either : 0;
    RC_ASSERT(co_citations(g, node, other) == static_cast<size_t>(both));
    RC_ASSERT(std::abs(co_citation_similarity(g, node, other) - similarity) < 1e-9);
    if (other != node && both > 0) {
      expected.push_back({other, static_cast<size_t>(both), similarity});
    }
  }
  std::stable_sort(expected.begin(), expected.end(), [](const CoCited& a, const CoCited& b) {
    return a.count != b.count ? a.count > b.count : a.similarity > b.similarity;
  });
  const auto k = *rc::gen::inRange<size_t>(0, 14);
  expected.resize(std::min(k, expected.size()));
  RC_ASSERT(most_co_cited(g, node, k) == expected);
}

}  // namespace
}  // namespace dowser
