#include "graph/pagerank.h"

#include <algorithm>
#include <numeric>

#include "tests/graph/dense.h"

namespace dowser {
namespace {

// Solves m x = b by elimination.
Vector solved(Matrix m, Vector b) {
  const size_t n = b.size();
  for (size_t i = 0; i < n; ++i) {
    size_t pivot = i;
    for (size_t k = i; k < n; ++k) {
      if (std::abs(m[k][i]) > std::abs(m[pivot][i])) pivot = k;
    }
    std::swap(m[i], m[pivot]);
    std::swap(b[i], b[pivot]);
    for (size_t k = 0; k < n; ++k) {
      if (k == i) continue;
      const double factor = m[k][i] / m[i][i];
      for (size_t j = i; j < n; ++j) m[k][j] -= factor * m[i][j];
      b[k] -= factor * b[i];
    }
  }
  for (size_t i = 0; i < n; ++i) b[i] /= m[i][i];
  return b;
}

// The fixed point itself: (I - d P) p = (1-d) t, where a column of P is what a page gives.
Vector dense_pagerank(const Matrix& links, Vector t, double d) {
  const size_t n = t.size();
  const double sum = std::accumulate(t.begin(), t.end(), 0.0);
  for (double& x : t) x /= sum;
  Matrix m = zeros(n);
  Vector b(n);
  for (size_t u = 0; u < n; ++u) {
    const double out = std::accumulate(links[u].begin(), links[u].end(), 0.0);
    for (size_t v = 0; v < n; ++v) m[v][u] = -d * (out > 0 ? links[u][v] / out : t[v]);
    m[u][u] += 1;
    b[u] = (1 - d) * t[u];
  }
  return solved(m, b);
}

RC_GTEST_PROP(PageRank, is_the_solution_of_its_equations, ()) {
  const RandomGraph r = any_graph();
  PageRankOptions options;
  options.damping = *rc::gen::element(0.0, 0.5, 0.85, 0.95);
  options.tolerance = 1e-12;
  const bool topic = *rc::gen::arbitrary<bool>();
  Vector teleport(r.nodes, 1);
  if (topic) teleport = r.relevance;
  if (std::ranges::max(teleport) == 0) teleport.assign(r.nodes, 1);
  const PageRank fast =
      pagerank(r.graph(), options, topic ? std::span(r.relevance) : std::span<double>());
  RC_ASSERT(fast.converged);
  RC_ASSERT(distance(fast.values, dense_pagerank(r.matrix(), teleport, options.damping)) < 1e-9);
  RC_ASSERT(std::abs(std::accumulate(fast.values.begin(), fast.values.end(), 0.0) - 1) < 1e-12);
}

TEST(PageRank, the_examples_of_the_essay_are_right) {
  const Vector both = pagerank(LinkGraph(std::vector<Edge>{{0, 1}, {1, 0}})).values;
  EXPECT_LT(distance(both, {0.5, 0.5}), 1e-12);
  const Vector one = pagerank(LinkGraph(std::vector<Edge>{{0, 1}})).values;
  EXPECT_LT(distance(one, {1 / 2.85, 1.85 / 2.85}), 1e-9);
}

TEST(PageRank, the_middle_of_a_star_has_most) {
  // All get the same from jumps, which is all that a leaf gets; the middle gets d of each leaf too.
  const Vector p = pagerank(LinkGraph(std::vector<Edge>{{1, 0}, {2, 0}, {3, 0}})).values;
  const double leaf = 0.25 / (1 + 0.85 * 0.75);  // 4 leaf + 3 d leaf = 1
  EXPECT_LT(distance(p, {leaf + 3 * 0.85 * leaf, leaf, leaf, leaf}), 1e-9);
}

TEST(PageRank, on_a_cycle_all_are_equal) {
  const PageRank r = pagerank(LinkGraph(std::vector<Edge>{{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_TRUE(r.converged);
  EXPECT_LT(distance(r.values, Vector(3, 1.0 / 3)), 1e-12);
}

TEST(PageRank, parts_without_connection_share_by_their_size) {
  // A cycle of two and a cycle of three.
  const Vector p =
      pagerank(LinkGraph(std::vector<Edge>{{0, 1}, {1, 0}, {2, 3}, {3, 4}, {4, 2}})).values;
  EXPECT_LT(distance(p, Vector(5, 0.2)), 1e-9);
}

TEST(PageRank, of_a_topic_stays_near_the_topic) {
  // Two cycles of two; the surfer starts on page 0 alone and cannot leave its part.
  const LinkGraph g(std::vector<Edge>{{0, 1}, {1, 0}, {2, 3}, {3, 2}});
  const Vector p = pagerank(g, {}, Vector{5, 0, 0, 0}).values;
  EXPECT_LT(distance(p, {1 / 1.85, 0.85 / 1.85, 0, 0}), 1e-9);
}

// Links of weight w among n of a page: each gives w/n, and the rest jumps.
RC_GTEST_PROP(PageRank, what_weak_links_leave_over_jumps, ()) {
  const RandomGraph r = any_graph();
  std::vector<double> weights;
  const LinkGraph plain(r.edges, r.nodes);
  for (size_t e = 0; e < plain.edges(); ++e) {
    weights.push_back(*rc::gen::element(0.0, 0.25, 0.5, 1.0));
  }
  const LinkGraph g = plain.with_weights(weights);
  PageRankOptions options;
  options.tolerance = 1e-12;
  options.weak_links_jump = true;
  const Vector t = Vector(g.nodes(), 1 / static_cast<double>(g.nodes()));
  Matrix m = zeros(g.nodes());
  Vector b(g.nodes());
  for (uint32_t u = 0; u < g.nodes(); ++u) {
    double jumps = 1;
    for (size_t e = g.out().begin(u); e < g.out().end(u); ++e) {
      const double share = 0.85 * g.out().weight(e) / static_cast<double>(g.out().degree(u));
      m[g.out().neighbour(e)][u] -= share;
      jumps -= share;
    }
    for (uint32_t v = 0; v < g.nodes(); ++v) m[v][u] -= (jumps - 0.15) * t[v];
    m[u][u] += 1;
    b[u] = 0.15 * t[u];
  }
  if (g.nodes() > 0) {
    RC_ASSERT(distance(pagerank(g, options).values, solved(m, b)) < 1e-9);
  }
}

TEST(PageRank, a_topic_without_pages_is_every_page) {
  const LinkGraph g(std::vector<Edge>{{0, 1}, {2, 1}});
  EXPECT_EQ(pagerank(g, {}, Vector(3)).values, pagerank(g).values);
}

TEST(PageRank, graphs_without_links_are_all_jumps) {
  EXPECT_TRUE(pagerank(LinkGraph()).values.empty());
  EXPECT_TRUE(pagerank(LinkGraph()).converged);
  EXPECT_LT(distance(pagerank(LinkGraph({}, 4)).values, Vector(4, 0.25)), 1e-12);
  EXPECT_LT(distance(pagerank(LinkGraph({}, 2), {}, Vector{1, 3}).values, {0.25, 0.75}), 1e-12);
}

TEST(PageRank, says_after_how_many_steps_it_stopped) {
  PageRankOptions options;
  options.max_steps = 3;
  const PageRank r = pagerank(LinkGraph(std::vector<Edge>{{0, 1}}), options);
  EXPECT_FALSE(r.converged);
  EXPECT_EQ(r.steps, 3);
}

}  // namespace
}  // namespace dowser
