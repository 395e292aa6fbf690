#include "graph/link_graph.h"

#include "tests/graph/dense.h"

namespace dowser {
namespace {

using Nodes = std::vector<uint32_t>;

Nodes of(const Rows& rows, uint32_t node) {
  const auto row = rows.of(node);
  return Nodes(row.begin(), row.end());
}

Matrix dense(const Rows& rows) {
  Matrix m = zeros(rows.nodes());
  for (uint32_t n = 0; n < rows.nodes(); ++n) {
    for (size_t e = rows.begin(n); e < rows.end(n); ++e) m[n][rows.neighbour(e)] = rows.weight(e);
  }
  return m;
}

TEST(LinkGraph, knows_both_ends_of_every_link) {
  const LinkGraph g(std::vector<Edge>{{2, 0}, {0, 1}, {2, 1}, {0, 2}, {2, 2}});
  EXPECT_EQ(g.nodes(), 3u);
  EXPECT_EQ(g.edges(), 5u);
  EXPECT_EQ(of(g.out(), 0), (Nodes{1, 2}));
  EXPECT_EQ(of(g.out(), 1), (Nodes{}));
  EXPECT_EQ(of(g.out(), 2), (Nodes{0, 1, 2}));
  EXPECT_EQ(of(g.in(), 0), (Nodes{2}));
  EXPECT_EQ(of(g.in(), 1), (Nodes{0, 2}));
  EXPECT_EQ(of(g.in(), 2), (Nodes{0, 2}));
}

TEST(LinkGraph, without_nodes_is_harmless) {
  EXPECT_EQ(LinkGraph().nodes(), 0u);
  EXPECT_EQ(LinkGraphBuilder().freeze().nodes(), 0u);
  EXPECT_EQ(LinkGraphBuilder().freeze().edges(), 0u);
}

TEST(LinkGraph, nodes_without_links_are_there_when_asked_for) {
  LinkGraphBuilder builder;
  builder.add(0, 1);
  builder.need_nodes(4);
  builder.need_nodes(3);
  EXPECT_EQ(builder.freeze().nodes(), 4u);
  builder.add(5, 0);
  EXPECT_EQ(builder.freeze().nodes(), 6u);
}

TEST(LinkGraph, a_repeated_link_is_one_link) {
  LinkGraphBuilder builder;
  for (int i = 0; i < 3; ++i) builder.add(0, 1);
  EXPECT_EQ(builder.added(), 3u);
  const LinkGraph g = builder.freeze();
  EXPECT_EQ(g.edges(), 1u);
  EXPECT_EQ(g.out().weight(0), 1);
}

TEST(LinkGraph, weights_of_repeats_add_up) {
  LinkGraphBuilder builder;
  builder.add(0, 1);
  builder.add(1, 0, 0.5);
  builder.add(0, 1, 2);
  builder.add(1, 0);
  const LinkGraph g = builder.freeze();
  EXPECT_EQ(dense(g.out()), (Matrix{{0, 3}, {1.5, 0}}));
  EXPECT_EQ(dense(g.in()), (Matrix{{0, 1.5}, {3, 0}}));
}

TEST(LinkGraph, a_link_without_weight_to_speak_of_is_none) {
  LinkGraphBuilder builder;
  builder.add(0, 1, 0);
  builder.add(1, 2, -1);
  builder.add(2, 0, std::nan(""));
  builder.add(0, 2, 1);
  EXPECT_EQ(builder.freeze().nodes(), 3u);
  EXPECT_EQ(builder.freeze().edges(), 1u);
}

RC_GTEST_PROP(LinkGraph, holds_what_a_matrix_holds, ()) {
  const RandomGraph r = any_graph();
  LinkGraphBuilder builder;
  builder.need_nodes(r.nodes);
  for (size_t i = 0; i < r.edges.size(); ++i) {
    if (r.weights.empty()) {
      builder.add(r.edges[i].from, r.edges[i].to);
    } else {
      builder.add(r.edges[i].from, r.edges[i].to, r.weights[i]);
    }
  }
  const LinkGraph g = builder.freeze();
  RC_ASSERT(dense(g.out()) == r.matrix());
  RC_ASSERT(dense(g.in()) == transposed(r.matrix()));
  for (const Rows* rows : {&g.out(), &g.in()}) {
    size_t edges = 0;
    for (uint32_t n = 0; n < g.nodes(); ++n) {
      const auto row = rows->of(n);
      edges += rows->degree(n);
      for (size_t i = 1; i < row.size(); ++i) RC_ASSERT(row[i - 1] < row[i]);
    }
    RC_ASSERT(edges == g.edges());
  }
}

}  // namespace
}  // namespace dowser
