#include "graph/hits.h"

#include "base/random.h"
#include "graph/ranking.h"
#include "tests/graph/dense.h"

namespace dowser {
namespace {

// What an edge adds to its authority and to its hub, each [from][to].
struct Factors {
  Matrix to_authority, to_hub;
};

Factors dense_factors(const RandomGraph& r, const HitsOptions& options, bool relevance) {
  const Matrix links = r.matrix();
  Factors f{links, links};
  for (size_t u = 0; u < r.nodes; ++u) {
    for (size_t v = 0; v < r.nodes; ++v) {
      double same_source = 0, same_target = 0;
      for (size_t w = 0; w < r.nodes; ++w) {
        same_source += r.hosts[w] == r.hosts[u] && links[w][v] > 0;
        same_target += r.hosts[w] == r.hosts[v] && links[u][w] > 0;
      }
      double both = relevance ? r.relevance[u] * r.relevance[v] : 1;
      if (options.drop_within_host && r.hosts[u] == r.hosts[v]) both = 0;
      f.to_authority[u][v] *= both;
      f.to_hub[u][v] *= both;
      if (options.share_by_host && links[u][v] > 0) {
        f.to_authority[u][v] /= same_source;
        f.to_hub[u][v] /= same_target;
      }
    }
  }
  return f;
}

HubsAndAuthorities dense_hits(const Factors& f, int steps) {
  HubsAndAuthorities r;
  r.hubs = Vector(f.to_hub.size(), 1);
  for (int i = 0; i < steps; ++i) {
    r.authorities = unit(times(transposed(f.to_authority), r.hubs));
    r.hubs = unit(times(f.to_hub, r.authorities));
  }
  return r;
}

RC_GTEST_PROP(Hits, each_step_is_that_of_full_matrices, ()) {
  const RandomGraph r = any_graph();
  HitsOptions options;
  options.share_by_host = *rc::gen::arbitrary<bool>();
  options.drop_within_host = *rc::gen::arbitrary<bool>();
  options.limits.max_steps = *rc::gen::inRange(1, 40);
  options.limits.tolerance = -1;  // never
  const bool relevance = *rc::gen::arbitrary<bool>();
  const auto fast =
      hits(r.graph(), options, r.hosts, relevance ? std::span(r.relevance) : std::span<double>());
  const auto slow = dense_hits(dense_factors(r, options, relevance), options.limits.max_steps);
  RC_ASSERT(distance(fast.authorities, slow.authorities) < 1e-9);
  RC_ASSERT(distance(fast.hubs, slow.hubs) < 1e-9);
  RC_ASSERT(fast.steps == options.limits.max_steps);
  RC_ASSERT(!fast.converged);
}

RC_GTEST_PROP(Hits, what_has_converged_stands_still, ()) {
  const RandomGraph r = any_graph();
  HitsOptions options;
  options.share_by_host = *rc::gen::arbitrary<bool>();
  options.limits.tolerance = 1e-10;
  const auto end = hits(r.graph(), options, r.hosts);
  RC_PRE(end.converged);
  const Factors f = dense_factors(r, options, false);
  RC_ASSERT(distance(end.hubs, unit(times(f.to_hub, end.authorities))) < 1e-9);
  RC_ASSERT(distance(end.authorities, unit(times(transposed(f.to_authority), end.hubs))) < 1e-9);
}

// AᵀA squared 40 times is 2⁴⁰ steps at once: the end itself.
TEST(Hits, ends_where_powers_of_the_matrix_end) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    RandomGraph r;
    r.nodes = 3 + random.below(8);
    for (size_t i = 0; i < 3 * r.nodes; ++i) {
      r.edges.push_back({static_cast<uint32_t>(random.below(r.nodes)),
                         static_cast<uint32_t>(random.below(r.nodes))});
    }
    const Matrix a = r.matrix();
    Matrix power = times(transposed(a), a);
    for (int i = 0; i < 40; ++i) {
      power = times(power, power);
      double trace = 0;
      for (size_t n = 0; n < r.nodes; ++n) trace += power[n][n];
      for (Vector& row : power) {
        for (double& x : row) x /= trace;
      }
    }
    HitsOptions options;
    options.limits = {1e-14, 100000};
    const auto end = hits(r.graph(), options);
    EXPECT_TRUE(end.converged) << seed;
    const Vector start = times(transposed(a), Vector(r.nodes, 1));
    EXPECT_LT(distance(end.authorities, unit(times(power, start))), 1e-9) << seed;
  }
}

TEST(Hits, the_example_of_the_essay_settles_at_the_golden_ratio) {
  const auto r = hits(LinkGraph(std::vector<Edge>{{0, 2}, {0, 3}, {1, 2}}));
  const double golden = (1 + std::sqrt(5)) / 2;
  EXPECT_TRUE(r.converged);
  EXPECT_NEAR(r.authorities[2] / r.authorities[3], golden, 1e-8);
  EXPECT_NEAR(r.hubs[0] / r.hubs[1], golden, 1e-8);
  EXPECT_EQ(r.authorities[0], 0);
  EXPECT_EQ(r.hubs[2], 0);
}

TEST(Hits, a_star_has_one_authority_and_equal_hubs) {
  const auto r = hits(LinkGraph(std::vector<Edge>{{1, 0}, {2, 0}, {3, 0}, {4, 0}}));
  EXPECT_TRUE(r.converged);
  EXPECT_LE(r.steps, 2);
  EXPECT_LT(distance(r.authorities, {1, 0, 0, 0, 0}), 1e-12);
  EXPECT_LT(distance(r.hubs, {0, 0.5, 0.5, 0.5, 0.5}), 1e-12);
}

TEST(Hits, on_a_cycle_all_are_equal) {
  const auto r = hits(LinkGraph(std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
  EXPECT_TRUE(r.converged);
  EXPECT_LT(distance(r.authorities, {0.5, 0.5, 0.5, 0.5}), 1e-12);
  EXPECT_LT(distance(r.hubs, {0.5, 0.5, 0.5, 0.5}), 1e-12);
}

TEST(Hits, of_parts_without_connection_the_densest_remains) {
  // 0, 1 → 2 and 3 → 4.
  const auto r = hits(LinkGraph(std::vector<Edge>{{0, 2}, {1, 2}, {3, 4}}));
  EXPECT_TRUE(r.converged);
  EXPECT_NEAR(r.authorities[2], 1, 1e-9);
  EXPECT_NEAR(r.authorities[4], 0, 1e-8);
  // Equally dense parts remain both.
  const auto both = hits(LinkGraph(std::vector<Edge>{{0, 1}, {2, 3}}));
  EXPECT_NEAR(both.authorities[1], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(both.authorities[3], std::sqrt(0.5), 1e-12);
}

TEST(Hits, graphs_without_links_have_neither_hubs_nor_authorities) {
  const auto none = hits(LinkGraph());
  EXPECT_TRUE(none.converged);
  EXPECT_TRUE(none.hubs.empty());
  const auto lonely = hits(LinkGraph({}, 3));
  EXPECT_TRUE(lonely.converged);
  EXPECT_EQ(lonely.hubs, Vector(3));
  EXPECT_EQ(lonely.authorities, Vector(3));
}

TEST(Hits, says_after_how_many_steps_it_stopped) {
  HitsOptions options;
  options.limits.max_steps = 2;
  const auto r = hits(LinkGraph(std::vector<Edge>{{0, 2}, {0, 3}, {1, 2}}), options);
  EXPECT_FALSE(r.converged);
  EXPECT_EQ(r.steps, 2);
}

// The topic: pages 0 … 5 on hosts of their own each point to pages 6 … 10 on other hosts. What
// misleads is added behind, from page 11 on.
struct Misled {
  LinkGraphBuilder links;
  std::vector<uint32_t> hosts;
  Vector relevance;

  Misled() {
    for (uint32_t hub = 0; hub < 6; ++hub) {
      for (uint32_t page = 6; page < 11; ++page) links.add(hub, page);
    }
    for (uint32_t n = 0; n < 11; ++n) page_on(n, 1);
  }

  uint32_t page_on(uint32_t host, double relevant) {
    hosts.push_back(host);
    relevance.push_back(relevant);
    return static_cast<uint32_t>(hosts.size()) - 1;
  }

  uint32_t best_authority(const HitsOptions& options = {}, bool relevant = false) const {
    return best(options, relevant, &HubsAndAuthorities::authorities);
  }
  uint32_t best_hub(const HitsOptions& options = {}, bool relevant = false) const {
    return best(options, relevant, &HubsAndAuthorities::hubs);
  }

 private:
  uint32_t best(const HitsOptions& options, bool relevant,
                std::vector<double> HubsAndAuthorities::*kind) const {
    const auto r = hits(links.freeze(), options, hosts,
                        relevant ? std::span<const double>(relevance) : std::span<const double>());
    EXPECT_TRUE(r.converged);
    return best_nodes(r.*kind, 1).at(0).node;
  }
};

const HitsOptions kShare{{}, true, false};
const HitsOptions kDrop{{}, false, true};

TEST(HitsFailures, forty_pages_of_one_host_make_no_authority_when_they_share_one_vote) {
  Misled web;
  const uint32_t friend_of = web.page_on(100, 1);
  for (int i = 0; i < 40; ++i) web.links.add(web.page_on(101, 1), friend_of);
  EXPECT_EQ(web.best_authority(), friend_of);
  EXPECT_LT(web.best_authority(kShare), 11u);
  EXPECT_EQ(web.best_authority(kDrop), friend_of);  // they are two hosts
}

TEST(HitsFailures, a_page_with_forty_links_to_one_host_is_no_hub_when_they_share_one_vote) {
  Misled web;
  const uint32_t list = web.page_on(100, 1);
  for (int i = 0; i < 40; ++i) web.links.add(list, web.page_on(101, 1));
  EXPECT_EQ(web.best_hub(), list);
  EXPECT_LT(web.best_hub(kShare), 11u);
}

TEST(HitsFailures, a_menu_on_every_page_of_a_host_makes_no_authority_when_its_links_are_dropped) {
  Misled web;
  std::vector<uint32_t> site;
  for (int i = 0; i < 20; ++i) site.push_back(web.page_on(100, 1));
  for (const uint32_t from : site) {
    for (const uint32_t to : site) web.links.add(from, to);
  }
  EXPECT_GE(web.best_authority(), 11u);
  EXPECT_GE(web.best_hub(), 11u);
  EXPECT_LT(web.best_authority(kDrop), 11u);
  EXPECT_LT(web.best_hub(kDrop), 11u);
}

TEST(HitsFailures, a_dense_part_off_the_topic_does_not_win_when_relevance_counts) {
  Misled web;
  std::vector<uint32_t> hubs, pages;
  for (uint32_t i = 0; i < 10; ++i) {
    hubs.push_back(web.page_on(100 + i, 0.1));
    pages.push_back(web.page_on(200 + i, 0.1));
  }
  for (const uint32_t hub : hubs) {
    for (const uint32_t page : pages) web.links.add(hub, page);
    web.links.add(hub, 6);  // so the parts are one
  }
  EXPECT_GE(web.best_hub(), 11u);
  EXPECT_GE(best_nodes(hits(web.links.freeze()).authorities, 2).at(1).node, 11u);
  EXPECT_LT(web.best_hub({}, true), 11u);
  EXPECT_LT(best_nodes(hits(web.links.freeze(), {}, {}, web.relevance).authorities, 5)[4].node,
            11u);
}

}  // namespace
}  // namespace dowser
