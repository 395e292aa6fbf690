#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "learn/inverted_vectors.h"
#include "learn/nearest_neighbours.h"
#include "tests/learn/made_examples.h"

namespace dowser {
namespace {

std::vector<SparseVector> vectors_of(const std::vector<Example>& examples) {
  std::vector<SparseVector> vectors;
  for (const Example& e : examples) vectors.push_back(e.vector);
  return vectors;
}

RC_GTEST_PROP(InvertedVectors, dots_are_those_of_each_pair, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  auto vectors = vectors_of(made_examples(seed, *rc::gen::inRange(0, 20), 30, 6, 2));
  vectors.push_back({});
  const InvertedVectors index(vectors);
  Random random(seed + 1);
  const SparseVector v = made_document(random, 40, 6, 1, 2);
  const auto dots = index.dots(v);
  RC_ASSERT(dots.size() == vectors.size());
  for (size_t i = 0; i < dots.size(); ++i) RC_ASSERT(dots[i] == dot(v, vectors[i]));
}

TEST(NearestNeighbours, votes_have_the_weight_of_the_cosine) {
  // Cosines to (1, 0): 0.8 for class 1; 0.6 and 0.28 for class 0.
  const std::vector<Example> examples = {{vector_of({{1, 0.6}, {2, 0.8}}), 0},
                                         {vector_of({{1, 8}, {2, 6}}), 1},
                                         {vector_of({{1, 0.28}, {2, 0.96}}), 0},
                                         {vector_of({{3, 1}}), 2}};
  const SparseVector v = vector_of({{1, 5}});
  const auto three = NearestNeighbours::train(examples, 3);
  EXPECT_NEAR(three->posteriors(v)[1], 0.8 / 1.68, 1e-12);
  EXPECT_EQ(three->best(v), 0u);
  const auto one = NearestNeighbours::train(examples, 1);
  EXPECT_EQ(one->posteriors(v), (std::vector<double>{0, 1, 0}));
  // No neighbour, no vote: fewer than k, and with none the shares of the classes.
  EXPECT_EQ(NearestNeighbours::train(examples, 9)->neighbours(v).size(), 3u);
  EXPECT_EQ(one->posteriors(vector_of({{77, 1}})), (std::vector<double>{0.5, 0.25, 0.25}));
}

RC_GTEST_PROP(NearestNeighbours, neighbours_are_the_first_of_all_sorted_by_cosine, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const auto examples = made_examples(seed, *rc::gen::inRange(1, 40), 30, 5, 3);
  const uint32_t k = *rc::gen::inRange(1, 12);
  const auto model = NearestNeighbours::train(examples, k);
  Random random(seed + 1);
  const SparseVector v = made_document(random, 30, 5, 1, 3);
  std::vector<double> cosines;
  for (const Example& e : examples) cosines.push_back(cosine(v, e.vector));
  const auto found = model->neighbours(v);
  for (const auto& n : found) RC_ASSERT(std::abs(n.cosine - cosines[n.example]) < 1e-12);
  std::erase(cosines, 0);
  std::sort(cosines.rbegin(), cosines.rend());
  RC_ASSERT(found.size() == std::min<size_t>(k, cosines.size()));
  for (size_t i = 0; i < found.size(); ++i) {
    RC_ASSERT(std::abs(found[i].cosine - cosines[i]) < 1e-12);
  }
}

TEST(NearestNeighbours, of_equal_examples_the_earlier_is_nearer) {
  const std::vector<Example> examples = {
      {vector_of({{1, 1}}), 1}, {vector_of({{1, 1}}), 0}, {vector_of({{1, 1}}), 0}};
  EXPECT_EQ(NearestNeighbours::train(examples, 1)->best(vector_of({{1, 1}})), 1u);
}

TEST(NearestNeighbours, survives_saving_and_parts_that_contradict_are_refused) {
  const auto model = NearestNeighbours::train(made_examples(1, 10, 30, 5, 3), 4);
  expect_survives_saving(*model);
  auto parts = model->parts();
  parts.labels[0] = 3;
  EXPECT_FALSE(NearestNeighbours::from_parts(parts));
  EXPECT_FALSE(NearestNeighbours::train({}));
  EXPECT_FALSE(NearestNeighbours::train(made_examples(1, 10, 30, 5, 3), 0));
}

}  // namespace
}  // namespace dowser
