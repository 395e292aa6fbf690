#include "learn/dense_neighbours.h"

#include <gtest/gtest.h>

#include <cmath>

#include "learn/cluster_words.h"
#include "tests/learn/made_examples.h"

namespace dowser {
namespace {

// Directions in the plane with the given cosines to (1, 0).
DenseNeighbours at_cosines(const std::vector<double>& cosines, std::vector<uint32_t> labels,
                           uint32_t k, double sharpness) {
  DenseVectors vectors(2);
  for (const double c : cosines) vectors.add(std::vector<double>{c, std::sqrt(1 - c * c)});
  const uint32_t classes = *std::max_element(labels.begin(), labels.end()) + 1;
  return *DenseNeighbours::from_parts({k, sharpness, classes, vectors, std::move(labels)});
}

const std::vector<double> kAhead = {1, 0};

TEST(DenseNeighbours, votes_have_the_weight_of_the_cosine) {
  const auto n = at_cosines({0.8, 0.6, 0.28, -0.5}, {1, 0, 0, 2}, 3, 1);
  EXPECT_NEAR(n.votes(kAhead)[1], 0.8, 1e-12);
  EXPECT_NEAR(n.votes(kAhead)[0], 0.88, 1e-12);
  EXPECT_EQ(n.votes(kAhead)[2], 0);  // looks the other way
  EXPECT_EQ(n.best(kAhead), 0u);
}

TEST(DenseNeighbours, a_single_near_target_wins_over_many_that_are_far) {
  const std::vector<double> cosines = {0.9, 0.5, 0.5, 0.5, 0.5, 0.5};
  const std::vector<uint32_t> labels = {0, 1, 1, 1, 1, 1};
  EXPECT_EQ(at_cosines(cosines, labels, 5, 4).best(kAhead), 0u);
  EXPECT_EQ(at_cosines(cosines, labels, 5, 1).best(kAhead), 1u);
}

TEST(DenseNeighbours, without_a_vote_the_largest_class_is_the_guess) {
  const auto n = at_cosines({0.9, 0.8, 0.7}, {0, 1, 1}, 5, 4);
  EXPECT_EQ(n.best(std::vector<double>{0, 0}), 1u);
}

TEST(DenseNeighbours, shares_are_votes_that_sum_to_1_and_an_added_example_votes) {
  auto n = at_cosines({0.8, 0.6, 0.28}, {1, 0, 0}, 3, 1);
  EXPECT_NEAR(n.shares(kAhead)[1], 0.8 / 1.68, 1e-12);
  EXPECT_NEAR(n.shares(kAhead)[0], 0.88 / 1.68, 1e-12);
  EXPECT_EQ(n.shares(std::vector<double>{0, 0}), (std::vector<double>{1, 0}));
  EXPECT_EQ(n.best(kAhead), 0u);
  n.add(kAhead, 1);
  EXPECT_EQ(n.best(kAhead), 1u);
}

TEST(DenseNeighbours, saving_keeps_all_of_it) {
  expect_survives_saving(at_cosines({0.9, 0.8, 0.7}, {0, 1, 1}, 5, 4));
}

TEST(ClusterWords, values_are_those_of_the_formulas) {
  // Cluster 0: two documents with word 1; cluster 1: two without. Word 2 stands everywhere.
  const std::vector<std::vector<TermCount>> pages = {
      {{1, 3}, {2, 1}}, {{1, 1}, {2, 1}}, {{2, 1}, {3, 1}}, {{2, 3}}};
  const std::vector<std::span<const TermCount>> documents(pages.begin(), pages.end());
  const std::vector<uint32_t> clusters = {0, 0, 1, 1};
  const auto words = cluster_words(documents, clusters, 2, 30);
  ASSERT_EQ(words[0].by_mutual_information.size(), 1u);  // the others are no commoner here
  EXPECT_EQ(words[0].by_mutual_information[0].term, 1u);
  EXPECT_NEAR(words[0].by_mutual_information[0].value, std::log(2.0), 1e-12);
  ASSERT_EQ(words[0].by_log_odds.size(), 1u);
  const double p = 4.5 / 7, q = 0.5 / 6;
  EXPECT_NEAR(words[0].by_log_odds[0].value, p * std::log(p * (1 - q) / (q * (1 - p))), 1e-12);
  EXPECT_EQ(words[1].by_log_odds[0].term, 2u);  // 4 of 5 words against 2 of 6
  EXPECT_EQ(cluster_words(documents, clusters, 2, 0)[0].by_log_odds.size(), 0u);
}

}  // namespace
}  // namespace dowser
