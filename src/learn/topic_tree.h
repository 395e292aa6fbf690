#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "learn/naive_bayes.h"

namespace dowser {

// Classes in a tree, some of them marked good: what is the probability that a document belongs to a
// good class? topic_tree.cc describes it.
//
// Node 0 is the root. parents[n] is the parent of node n and smaller than n; parents[0] is 0.
class TopicTree {
 public:
  struct Parts {
    std::vector<uint32_t> parents;
    std::vector<uint8_t> good;  // 1 for a good node
    // By node; none for leaves, and for inner nodes without examples below them.
    std::vector<std::optional<NaiveBayes::Parts>> choosers;

    static void each(auto& p, auto& field) { field(p.parents), field(p.good), field(p.choosers); }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "topic tree";

  // The label of an example is its node: a leaf, or an inner node if nothing more specific is
  // known. The options are used for the naive Bayes of every node; `classes` is ignored.
  static Result<TopicTree> train(std::vector<uint32_t> parents, std::span<const Example> examples,
                                 const NaiveBayesOptions& options = {});
  static Result<TopicTree> from_parts(Parts parts);
  static Result<TopicTree> load(ByteReader& in);
  void save(ByteWriter& out) const;
  Parts parts() const;

  // Replaces the marks of good nodes. Fails if a node does not exist.
  Status set_good(std::span<const uint32_t> nodes);

  size_t size() const { return parents_.size(); }
  bool is_leaf(uint32_t node) const { return children_[node].empty(); }
  // Pr(node | v) by node; that of the root is 1.
  std::vector<double> probabilities(const SparseVector& v) const;
  // R(v) from 0 to 1: soft focus.
  double relevance(const SparseVector& v) const { return relevance_of(probabilities(v)); }
  double relevance_of(std::span<const double> probabilities) const;
  uint32_t best_leaf_of(std::span<const double> probabilities) const;
  // Whether the node is good or below a good one. Hard focus asks this of the best leaf.
  bool is_within_good(uint32_t node) const;
  // What each feature of v adds to the log odds of all decisions from the root down to the node.
  SparseVector contributions(const SparseVector& v, uint32_t node) const;

 private:
  TopicTree() = default;
  Status set_parents(std::vector<uint32_t> parents);

  std::vector<uint32_t> parents_;
  std::vector<std::vector<uint32_t>> children_;
  std::vector<uint8_t> good_;
  std::vector<std::optional<NaiveBayes>> choosers_;
};

}  // namespace dowser
