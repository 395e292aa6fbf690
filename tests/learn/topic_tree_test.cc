#include "learn/topic_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/learn/made_examples.h"

namespace dowser {
namespace {

// 0 root: 1 sports (3 cycling, 4 chess), 2 arts (5 film, 6 music, 7 dance).
const std::vector<uint32_t> kParents = {0, 0, 0, 1, 1, 2, 2, 2};
constexpr uint32_t kFeatures = 80;

std::vector<Example> leaf_examples(uint64_t seed, int each) {
  Random random(seed);
  std::vector<Example> examples;
  for (uint32_t leaf = 3; leaf < 8; ++leaf) {
    for (int i = 0; i < each; ++i) {
      examples.push_back({made_document(random, kFeatures, 12, leaf, 8), leaf});
    }
  }
  return examples;
}

RC_GTEST_PROP(TopicTree, a_probability_is_the_product_along_the_path, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const auto examples = leaf_examples(seed, 3);
  const auto tree = TopicTree::train(kParents, examples);
  // The same choosers made by hand.
  std::vector<Example> top, sports, arts;
  for (const Example& e : examples) {
    top.push_back({e.vector, e.label < 5 ? 0u : 1u});
    if (e.label < 5) sports.push_back({e.vector, e.label - 3});
    if (e.label >= 5) arts.push_back({e.vector, e.label - 5});
  }
  Random random(seed + 1);
  const SparseVector v = made_document(random, kFeatures, 5, 6, 8);
  const auto p = tree->probabilities(v);
  const auto p_top = NaiveBayes::train(top)->posteriors(v);
  const auto p_sports = NaiveBayes::train(sports)->posteriors(v);
  const auto p_arts = NaiveBayes::train(arts)->posteriors(v);
  const std::vector<double> expected = {1,
                                        p_top[0],
                                        p_top[1],
                                        p_top[0] * p_sports[0],
                                        p_top[0] * p_sports[1],
                                        p_top[1] * p_arts[0],
                                        p_top[1] * p_arts[1],
                                        p_top[1] * p_arts[2]};
  uint32_t best = 3;
  double leaves = 0;
  for (uint32_t n = 0; n < 8; ++n) {
    RC_ASSERT(std::abs(p[n] - expected[n]) < 1e-12);
    if (n >= 3) leaves += p[n];
    if (n >= 3 && p[n] > p[best]) best = n;
  }
  RC_ASSERT(std::abs(leaves - 1) < 1e-9);
  RC_ASSERT(tree->best_leaf_of(tree->probabilities(v)) == best);
}

RC_GTEST_PROP(TopicTree, relevance_is_the_share_of_the_leaves_within_good_nodes, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  auto tree = TopicTree::train(kParents, leaf_examples(seed, 2));
  const auto good = *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(0, 8));
  RC_ASSERT(tree->set_good(good).ok());
  Random random(seed + 1);
  const SparseVector v = made_document(random, kFeatures, 4, 3, 8);
  const auto p = tree->probabilities(v);
  double expected = 0;
  for (uint32_t n = 3; n < 8; ++n) {
    if (tree->is_within_good(n)) expected += p[n];
  }
  RC_ASSERT(std::abs(tree->relevance(v) - expected) < 1e-9);
}

TEST(TopicTree, a_good_node_below_a_good_node_is_not_counted_twice) {
  auto tree = TopicTree::train(kParents, leaf_examples(1, 5));
  const SparseVector v = leaf_examples(2, 1)[0].vector;
  const auto p = tree->probabilities(v);
  ASSERT_TRUE(tree->set_good(std::vector<uint32_t>{3, 1, 5}));
  EXPECT_DOUBLE_EQ(tree->relevance(v), p[1] + p[5]);
  ASSERT_TRUE(tree->set_good(std::vector<uint32_t>{3}));
  EXPECT_DOUBLE_EQ(tree->relevance(v), p[3]);
  ASSERT_TRUE(tree->set_good(std::vector<uint32_t>{0, 3}));
  EXPECT_DOUBLE_EQ(tree->relevance(v), 1);
  ASSERT_TRUE(tree->set_good({}));
  EXPECT_EQ(tree->relevance(v), 0);
}

TEST(TopicTree, hard_focus_asks_the_best_leaf_and_all_above_it) {
  auto tree = TopicTree::train(kParents, leaf_examples(1, 20));
  const SparseVector chess = leaf_examples(9, 1)[1].vector;
  ASSERT_EQ(tree->best_leaf_of(tree->probabilities(chess)), 4u);
  for (const auto& [good, within] : std::vector<std::pair<uint32_t, bool>>{
           {0, true}, {1, true}, {4, true}, {3, false}, {2, false}}) {
    ASSERT_TRUE(tree->set_good(std::vector<uint32_t>{good}));
    EXPECT_EQ(tree->is_within_good(tree->best_leaf_of(tree->probabilities(chess))), within) << good;
  }
}

TEST(TopicTree, examples_of_an_inner_node_teach_only_the_nodes_above) {
  const std::vector<Example> examples = {{vector_of({{1, 3}}), 1}, {vector_of({{2, 3}}), 5}};
  const auto tree = TopicTree::train(kParents, examples);
  const auto p = tree->probabilities(vector_of({{1, 1}}));
  EXPECT_NEAR(p[1], 0.8, 1e-12);  // (3 + 1) / (3 + 2) against 1 / 5
  EXPECT_NEAR(p[3], 0.4, 1e-12);  // nobody knows: the children share equally
  EXPECT_NEAR(p[4], 0.4, 1e-12);
  EXPECT_NEAR(p[5], 0.2, 1e-12);  // the only child with an example
  EXPECT_EQ(p[6], 0);
}

TEST(TopicTree, a_tree_of_the_root_alone_puts_everything_there) {
  const auto tree = TopicTree::train({0}, {});
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->best_leaf_of(tree->probabilities(vector_of({{1, 1}}))), 0u);
  EXPECT_EQ(tree->probabilities({}), std::vector<double>{1});
}

TEST(TopicTree, what_is_no_tree_is_refused) {
  EXPECT_FALSE(TopicTree::train({}, {}));
  EXPECT_FALSE(TopicTree::train({1, 0}, {}));
  EXPECT_FALSE(TopicTree::train({0, 2, 0}, {}));
  EXPECT_FALSE(TopicTree::train({0, 0}, std::vector<Example>{{{}, 2}}));
  EXPECT_FALSE(TopicTree::train({0, 0}, {})->set_good(std::vector<uint32_t>{2}));
}

TEST(TopicTree, survives_saving_and_parts_that_contradict_are_refused) {
  auto tree = TopicTree::train(kParents, leaf_examples(1, 2));
  ASSERT_TRUE(tree->set_good(std::vector<uint32_t>{4}));
  expect_survives_saving(*tree);
  auto parts = tree->parts();
  parts.choosers[1] = parts.choosers[2];
  EXPECT_FALSE(TopicTree::from_parts(parts));
  parts = tree->parts();
  parts.good.pop_back();
  EXPECT_FALSE(TopicTree::from_parts(parts));
}

}  // namespace
}  // namespace dowser
