#include "graph/communities.h"

#include <algorithm>

#include "tests/graph/dense.h"

namespace dowser {
namespace {

// The best modularity of all ways to group the nodes.
double best_modularity(const LinkGraph& graph, std::vector<uint32_t>& of, size_t node,
                       uint32_t groups) {
  if (node == graph.nodes()) return modularity(graph, of);
  double best = -1;
  for (uint32_t group = 0; group <= groups; ++group) {
    of[node] = group;
    best = std::max(best, best_modularity(graph, of, node + 1, std::max(groups, group + 1)));
  }
  return best;
}

TEST(Communities, two_triangles_joined_by_a_link_are_two) {
  const LinkGraph graph(std::vector<Edge>{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {2, 3}});
  const Communities found = communities(graph);
  EXPECT_EQ(found.of, std::vector<uint32_t>({0, 0, 0, 1, 1, 1}));
  EXPECT_NEAR(found.modularity, 2 * (3.0 / 7 - 0.25), 1e-6);
}

TEST(Communities, pages_cited_together_come_together) {
  // 0 and 1 both link to 2 and 3; 4 and 5 both link to 6 and 7. No target links to another.
  const LinkGraph graph(
      std::vector<Edge>{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {4, 6}, {4, 7}, {5, 6}, {5, 7}});
  EXPECT_EQ(communities(graph).of, std::vector<uint32_t>({0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST(Communities, the_largest_comes_first_and_lonely_pages_are_alone) {
  const LinkGraph graph(std::vector<Edge>{{1, 2}, {3, 4}, {4, 5}, {5, 3}}, 7);
  const Communities found = communities(graph);
  EXPECT_EQ(found.of, std::vector<uint32_t>({2, 1, 1, 0, 0, 0, 3}));
  EXPECT_EQ(found.count, 4u);
  EXPECT_EQ(communities(LinkGraph()).count, 0u);
}

TEST(Communities, a_weak_link_does_not_join) {
  const std::vector<Edge> edges = {{0, 1}, {2, 3}, {1, 2}};
  const std::vector<double> weights = {1, 1, 0.01};
  EXPECT_EQ(communities(LinkGraph(edges, 4, weights)).of, std::vector<uint32_t>({0, 0, 1, 1}));
}

RC_GTEST_PROP(Communities, are_nearly_as_good_as_the_best_of_all_groupings, ()) {
  const RandomGraph r = any_graph();
  RC_PRE(r.nodes <= 8);
  const LinkGraph graph = r.graph();
  const Communities found = communities(graph);
  std::vector<uint32_t> of(graph.nodes());
  const double best = graph.nodes() == 0 ? 0 : best_modularity(graph, of, 0, 0);
  RC_ASSERT(std::abs(found.modularity - modularity(graph, found.of)) < 1e-6);
  RC_ASSERT(found.modularity <= best + 1e-9);
  RC_ASSERT(found.modularity >= best - 0.15);  // Louvain is greedy
}

}  // namespace
}  // namespace dowser
