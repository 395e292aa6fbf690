#include "graph/distiller.h"

#include "tests/graph/dense.h"

namespace dowser {
namespace {

bool counts(const RandomGraph& r, const DistillerOptions& o, size_t u, size_t v) {
  return !o.between_hosts_only || r.hosts[u] != r.hosts[v];
}

// The equations of the essay, one sum after the other.
HubsAndAuthorities dense_distiller(const RandomGraph& r, const DistillerOptions& o) {
  const Matrix links = r.matrix();
  HubsAndAuthorities x;
  x.hubs = Vector(r.nodes, 1);
  for (int step = 0; step < o.limits.max_steps; ++step) {
    x.authorities = Vector(r.nodes);
    for (size_t v = 0; v < r.nodes; ++v) {
      for (size_t u = 0; u < r.nodes; ++u) {
        if (!counts(r, o, u, v) || r.relevance[v] <= o.min_relevance) continue;
        x.authorities[v] += links[u][v] * x.hubs[u] * r.relevance[u];
      }
    }
    x.authorities = unit(x.authorities);
    x.hubs = Vector(r.nodes);
    for (size_t u = 0; u < r.nodes; ++u) {
      for (size_t v = 0; v < r.nodes; ++v) {
        if (counts(r, o, u, v)) x.hubs[u] += links[u][v] * x.authorities[v] * r.relevance[v];
      }
    }
    x.hubs = unit(x.hubs);
  }
  return x;
}

// The other way round: each page's own relevance multiplies what it gets.
HubsAndAuthorities dense_with_own_relevance(const RandomGraph& r, const DistillerOptions& o) {
  const Matrix links = r.matrix();
  HubsAndAuthorities x;
  x.hubs = r.relevance;
  for (int step = 0; step < o.limits.max_steps; ++step) {
    x.authorities = Vector(r.nodes);
    for (size_t v = 0; v < r.nodes; ++v) {
      for (size_t u = 0; u < r.nodes; ++u) {
        if (!counts(r, o, u, v) || r.relevance[v] <= o.min_relevance) continue;
        x.authorities[v] += links[u][v] * x.hubs[u] * r.relevance[v];
      }
    }
    x.authorities = unit(x.authorities);
    x.hubs = Vector(r.nodes);
    for (size_t u = 0; u < r.nodes; ++u) {
      for (size_t v = 0; v < r.nodes; ++v) {
        if (counts(r, o, u, v)) x.hubs[u] += links[u][v] * x.authorities[v] * r.relevance[u];
      }
    }
    x.hubs = unit(x.hubs);
  }
  return x;
}

RC_GTEST_PROP(Distiller, each_step_is_that_of_the_plain_sums, ()) {
  const RandomGraph r = any_graph();
  DistillerOptions options;
  options.limits.tolerance = -1;  // never
  options.limits.max_steps = *rc::gen::inRange(1, 40);
  options.min_relevance = *rc::gen::element(0.0, 0.3, 0.5);
  options.between_hosts_only = *rc::gen::arbitrary<bool>();
  options.own_relevance = *rc::gen::arbitrary<bool>();
  const auto fast = distil(r.graph(), r.relevance, options, r.hosts).values;
  const auto slow =
      options.own_relevance ? dense_with_own_relevance(r, options) : dense_distiller(r, options);
  RC_ASSERT(distance(fast.authorities, slow.authorities) < 1e-9);
  RC_ASSERT(distance(fast.hubs, slow.hubs) < 1e-9);
}

RC_GTEST_PROP(Distiller, with_all_relevant_it_is_hits, ()) {
  const RandomGraph r = any_graph();
  const auto d = distil(r.graph(), Vector(r.nodes, 1)).values;
  const Matrix a = r.matrix();
  RC_PRE(d.converged);
  RC_ASSERT(distance(d.hubs, unit(times(a, d.authorities))) < 1e-8);
  RC_ASSERT(distance(d.authorities, unit(times(transposed(a), d.hubs))) < 1e-8);
}

TEST(Distiller, the_example_of_the_essay_prefers_the_page_with_more_relevant_links) {
  const LinkGraph g(std::vector<Edge>{{0, 2}, {0, 3}, {0, 4}, {1, 4}, {1, 5}});
  const Distilled d = distil(g, Vector{1, 1, 1, 1, 1, 0});
  EXPECT_TRUE(d.values.converged);
  ASSERT_EQ(d.best_hubs.size(), 2u);
  EXPECT_EQ(d.best_hubs[0].node, 0u);
  EXPECT_EQ(d.best_hubs[1].node, 1u);
  EXPECT_EQ(d.values.authorities[5], 0);
  // AAᵀ over what counts is {3 1; 1 1}: h(0) : h(1) = 1 + √2.
  EXPECT_NEAR(d.best_hubs[0].value / d.best_hubs[1].value, 1 + std::sqrt(2), 1e-8);
}

TEST(Distiller, a_hub_of_many_irrelevant_pages_is_none) {
  LinkGraphBuilder links;
  Vector relevance = {0.9, 0.8, 0.8, 0.9};  // 0 → 1, 2; 3 → 4 … 23, which are off the topic
  links.add(0, 1);
  links.add(0, 2);
  for (uint32_t n = 4; n < 24; ++n) {
    links.add(3, n);
    relevance.push_back(0.05);
  }
  EXPECT_EQ(distil(links.freeze(), Vector(24, 1)).best_hubs.at(0).node, 3u);
  EXPECT_EQ(distil(links.freeze(), relevance).best_hubs.at(0).node, 0u);
}

TEST(Distiller, only_pages_above_the_limit_are_authorities) {
  const LinkGraph g(std::vector<Edge>{{0, 1}, {0, 2}, {0, 3}});
  DistillerOptions options;
  options.min_relevance = 0.5;
  const auto d = distil(g, Vector{1, 0.6, 0.5, 0.4}, options).values;
  EXPECT_NEAR(d.authorities[1], 1, 1e-12);
  EXPECT_EQ(d.authorities[2], 0);
  EXPECT_EQ(d.authorities[3], 0);
}

TEST(Distiller, a_list_of_good_links_is_a_hub_though_its_own_words_are_not_on_the_topic) {
  const LinkGraph g(std::vector<Edge>{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {1, 4}});
  const Vector relevance = {1, 0.1, 1, 1, 1};  // page 1 is the list
  DistillerOptions options;
  EXPECT_EQ(distil(g, relevance, options).best_hubs.at(0).node, 1u);
  options.own_relevance = true;
  EXPECT_EQ(distil(g, relevance, options).best_hubs.at(0).node, 0u);
}

TEST(Distiller, links_within_a_host_count_unless_told_otherwise) {
  const LinkGraph g(std::vector<Edge>{{0, 1}, {0, 2}, {3, 2}});
  const std::vector<uint32_t> hosts = {7, 7, 7, 8};
  DistillerOptions options;
  EXPECT_EQ(distil(g, Vector(4, 1), options, hosts).best_hubs.at(0).node, 0u);
  options.between_hosts_only = true;
  const Distilled d = distil(g, Vector(4, 1), options, hosts);
  ASSERT_EQ(d.best_hubs.size(), 1u);
  EXPECT_EQ(d.best_hubs[0].node, 3u);
}

TEST(Distiller, as_many_hubs_as_asked_for) {
  const LinkGraph g(std::vector<Edge>{{0, 3}, {1, 3}, {2, 3}});
  DistillerOptions options;
  options.best_hubs = 2;
  EXPECT_EQ(distil(g, Vector(4, 1), options).best_hubs.size(), 2u);
}

TEST(Distiller, where_nothing_is_relevant_or_linked_there_are_no_hubs) {
  EXPECT_TRUE(distil(LinkGraph(), {}).best_hubs.empty());
  EXPECT_TRUE(distil(LinkGraph({}, 3), Vector(3, 1)).best_hubs.empty());
  const Distilled d = distil(LinkGraph(std::vector<Edge>{{0, 1}, {1, 2}}), Vector(3));
  EXPECT_TRUE(d.best_hubs.empty());
  EXPECT_TRUE(d.values.converged);
}

TEST(Distiller, a_star_a_cycle_and_parts_apart_converge) {
  const Distilled star =
      distil(LinkGraph(std::vector<Edge>{{1, 0}, {2, 0}, {3, 0}}), Vector{1, 1, 0.5, 0});
  EXPECT_TRUE(star.values.converged);
  EXPECT_NEAR(star.values.authorities[0], 1, 1e-12);
  EXPECT_NEAR(star.values.hubs[1], star.values.hubs[3], 1e-12);  // by where they point
  const Distilled cycle =
      distil(LinkGraph(std::vector<Edge>{{0, 1}, {1, 2}, {2, 0}}), Vector(3, 0.5));
  EXPECT_TRUE(cycle.values.converged);
  EXPECT_LT(distance(cycle.values.hubs, Vector(3, std::sqrt(1.0 / 3))), 1e-12);
  // 0 → 1 and 2 → 3: the more relevant part remains.
  const Distilled parts =
      distil(LinkGraph(std::vector<Edge>{{0, 1}, {2, 3}}), Vector{1, 1, 0.5, 0.5});
  EXPECT_TRUE(parts.values.converged);
  EXPECT_NEAR(parts.values.hubs[0], 1, 1e-9);
}

}  // namespace
}  // namespace dowser
