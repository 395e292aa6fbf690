#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/random.h"
#include "learn/k_means.h"
#include "learn/x_means.h"

namespace dowser {
namespace {

// About normal: the sum of twelve uniform numbers.
double bell(Random& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

DenseVectors on_a_line(std::initializer_list<double> numbers) {
  DenseVectors v(1);
  for (const double x : numbers) v.add(std::vector<double>{x});
  return v;
}

// Vectors of length 1 around random directions, as a page is a topic and noise.
struct Planted {
  DenseVectors vectors;
  std::vector<uint32_t> cluster_of;
};

Planted planted(uint64_t seed, uint32_t clusters, size_t count, size_t dimensions, double noise) {
  Random random(seed);
  std::vector<std::vector<double>> centres(clusters, std::vector<double>(dimensions));
  for (auto& c : centres) {
    for (double& x : c) x = bell(random);
    normalise(c);
  }
  Planted p{DenseVectors(dimensions), {}};
  for (size_t i = 0; i < count; ++i) {
    const auto c = static_cast<uint32_t>(i < 5 * clusters ? i % clusters : random.below(clusters));
    std::vector<double> v = centres[c];
    for (double& x : v) x += noise * bell(random) / std::sqrt(static_cast<double>(dimensions));
    normalise(v);
    p.vectors.add(v);
    p.cluster_of.push_back(c);
  }
  return p;
}

// The same groups, whatever their numbers.
bool same_groups(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  for (size_t i = 0; i < a.size(); ++i) pairs.emplace(a[i], b[i]);
  std::set<uint32_t> as(a.begin(), a.end()), bs(b.begin(), b.end());
  return pairs.size() == as.size() && pairs.size() == bs.size();
}

TEST(KMeans, a_line_of_two_groups_is_cut_in_the_middle) {
  const auto c = k_means(on_a_line({0, 10, 1, 11}), {.clusters = 2});
  ASSERT_TRUE(c);
  EXPECT_TRUE(same_groups(c->cluster_of, {0, 1, 0, 1}));
  EXPECT_DOUBLE_EQ(c->distortion, 1);
  std::vector<double> centroids = {c->centroids[0][0], c->centroids[1][0]};
  std::sort(centroids.begin(), centroids.end());
  EXPECT_EQ(centroids, (std::vector<double>{0.5, 10.5}));
}

TEST(KMeans, no_move_of_one_vector_would_be_better_and_seeds_repeat) {
  const Planted p = planted(3, 5, 200, 6, 0.8);
  const auto a = k_means(p.vectors, {.clusters = 5, .seed = 7});
  const auto b = k_means(p.vectors, {.clusters = 5, .seed = 7});
  EXPECT_EQ(a->cluster_of, b->cluster_of);
  EXPECT_EQ(a->centroids, b->centroids);
  for (size_t i = 0; i < p.vectors.size(); ++i) {
    EXPECT_EQ(a->cluster_of[i], nearest_centroid(a->centroids, p.vectors[i]));
  }
}

TEST(KMeans, unit_centroids_have_length_1) {
  const Planted p = planted(4, 3, 60, 20, 0.3);
  const auto c = k_means(p.vectors, {.clusters = 3, .unit_centroids = true});
  for (size_t i = 0; i < c->clusters(); ++i) EXPECT_NEAR(norm(c->centroids[i]), 1, 1e-12);
  EXPECT_TRUE(same_groups(c->cluster_of, p.cluster_of));
}

TEST(KMeans, fewer_different_vectors_than_clusters_give_fewer_clusters) {
  const auto c = k_means(on_a_line({3, 3, 3, 8}), {.clusters = 4});
  ASSERT_TRUE(c);
  EXPECT_EQ(c->clusters(), 2u);
  EXPECT_EQ(c->distortion, 0);
  EXPECT_FALSE(k_means(DenseVectors(2), {.clusters = 2}));
  EXPECT_FALSE(k_means(on_a_line({1}), {.clusters = 0}));
}

TEST(KMeans, a_centroid_that_loses_all_vectors_gets_the_farthest) {
  DenseVectors start(1);
  for (const double x : {0.0, 100.0}) start.add(std::vector<double>{x});
  const Clustering c = k_means_from(on_a_line({0, 1, 10}), start, {});
  EXPECT_TRUE(same_groups(c.cluster_of, {0, 0, 1}));
}

TEST(XMeans, the_information_criterion_is_that_of_the_essay) {
  const DenseVectors v = on_a_line({0, 1, 10, 11});
  const auto c = k_means(v, {.clusters = 2});
  const double s2 = 1.0 / 2, pi = std::acos(-1.0);
  const double l = 4 * std::log(0.5) - 2 * std::log(2 * pi * s2) - 1;
  EXPECT_NEAR(bayesian_information(v, *c), l - 4.0 / 2 * std::log(4.0), 1e-12);
}

TEST(XMeans, planted_clusters_are_found_in_95_of_100_runs) {
  for (uint32_t clusters = 3; clusters <= 8; ++clusters) {
    int found = 0;
    for (uint64_t run = 0; run < 100; ++run) {
      const Planted p = planted(1000 * clusters + run, clusters, 120, 20, 0.5);
      const auto c = x_means(p.vectors, {.seed = run});
      found += c && c->clusters() == clusters && same_groups(c->cluster_of, p.cluster_of);
    }
    EXPECT_GE(found, 95) << clusters << " clusters";
  }
}

TEST(XMeans, one_group_is_not_divided_further_than_asked_for) {
  const Planted p = planted(5, 1, 150, 20, 0.5);
  EXPECT_EQ(x_means(p.vectors, {.least = 1, .most = 8})->clusters(), 1u);
  EXPECT_EQ(x_means(p.vectors)->clusters(), 3u);
  const Planted many = planted(6, 12, 300, 20, 0.3);
  EXPECT_EQ(x_means(many.vectors)->clusters(), 8u);
}

// Directions that hardly resemble each other, as the pages of a few sessions.
DenseVectors scattered(uint64_t seed, size_t count, size_t dimensions) {
  Random random(seed);
  DenseVectors vectors(dimensions);
  for (size_t i = 0; i < count; ++i) {
    std::vector<double> v(dimensions);
    for (double& x : v) x = random.uniform() - 0.5;
    normalise(v);
    vectors.add(v);
  }
  return vectors;
}

TEST(XMeans, no_cluster_is_smaller_than_asked_for) {
  for (uint64_t run = 0; run < 10; ++run) {
    const DenseVectors v = scattered(run, 60, 40);
    for (const uint32_t smallest : {2u, 5u, 20u}) {
      const auto c = x_means(v, {.seed = run, .smallest = smallest});
      ASSERT_TRUE(c);
      for (const uint32_t size : c->sizes()) EXPECT_GE(size, smallest);
    }
  }
  EXPECT_EQ(x_means(on_a_line({1, 2, 30}), {.smallest = 5})->clusters(), 1u);
}

TEST(XMeans, identical_and_few_vectors_give_as_many_clusters_as_there_are) {
  EXPECT_EQ(x_means(on_a_line({2, 2, 2, 2, 2}))->clusters(), 1u);
  EXPECT_EQ(x_means(on_a_line({2, 5}))->clusters(), 2u);
  EXPECT_FALSE(x_means(DenseVectors(3)));
  EXPECT_FALSE(x_means(on_a_line({1}), {.least = 4, .most = 3}));
}

}  // namespace
}  // namespace dowser
