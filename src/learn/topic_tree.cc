#include "learn/topic_tree.h"

#include <algorithm>

#include "learn/saved_parts.h"

// A tree of topics of which some are marked good, as in the focused crawler (Chakrabarti, van den
// Berg and Dom 1999; Küçük 2009, section 3.1.3.3). At every inner node a naive Bayes classifier
// chooses among the children, trained on the examples below each. The probability of a node is the
// product along the path from the root:
//
//   Pr(root | p) = 1,   Pr(c | p) = Pr(parent of c | p) Pr(c | parent of c, p)
//   R(p) = sum over good c of Pr(c | p)                                          (equation 3-6)
//
// So the children of a node share its probability, and the leaves sum to 1. Example: the root has
// sports (0.6) and arts (0.4), sports has cycling (0.9) and chess (0.1). Cycling has 0.54; if only
// it is good, R = 0.54. If sports is marked good too, R = 0.6: of good nodes one below the other
// only the upper one counts, since it contains the lower (Küçük does not say so; Chakrabarti et al.
// forbid such marks). This keeps R within 0…1.
//
// Hard focus asks whether the leaf with the greatest probability is good or below a good node.
// Küçük says "any of the parents"; that a leaf that is marked good itself counts comes from
// Chakrabarti.
//
// Why not one classifier for all leaves? Different words decide at each node, and the features that
// separate sports from arts would be lost among those of a thousand leaves. The price is that a
// wrong decision near the root cannot be corrected below it, and that the probabilities of long
// pages are near 0 or 1 at each node unless tempered (naive_bayes.cc).
//
// An inner node without examples below it cannot choose: its children share equally.

namespace dowser {

Status TopicTree::set_parents(std::vector<uint32_t> parents) {
  if (parents.empty() || parents[0] != 0) return Error{"a topic tree begins with its root, node 0"};
  children_.assign(parents.size(), {});
  for (uint32_t n = 1; n < parents.size(); ++n) {
    if (parents[n] >= n) return Error{"in a topic tree a parent has a smaller number than a child"};
    children_[parents[n]].push_back(n);
  }
  parents_ = std::move(parents);
  good_.assign(parents_.size(), 0);
  choosers_.resize(parents_.size());
  return {};
}

Result<TopicTree> TopicTree::train(std::vector<uint32_t> parents, std::span<const Example> examples,
                                   const NaiveBayesOptions& options) {
  TopicTree tree;
  if (Status fine = tree.set_parents(std::move(parents)); !fine) return fine.error();
  std::vector<uint32_t> place(tree.size());  // index of a node among the children of its parent
  for (const auto& children : tree.children_) {
    for (uint32_t i = 0; i < children.size(); ++i) place[children[i]] = i;
  }
  std::vector<std::vector<size_t>> below(tree.size());  // examples at a node or below it
  for (size_t i = 0; i < examples.size(); ++i) {
    if (examples[i].label >= tree.size()) return Error{"an example belongs to no node of the tree"};
    for (uint32_t n = examples[i].label; n != 0; n = tree.parents_[n]) below[n].push_back(i);
  }
  for (uint32_t node = 0; node < tree.size(); ++node) {
    std::vector<Example> choices;
    for (const uint32_t child : tree.children_[node]) {
      for (const size_t i : below[child]) choices.push_back({examples[i].vector, place[child]});
    }
    if (choices.empty()) continue;
    NaiveBayesOptions here = options;
    here.classes = static_cast<uint32_t>(tree.children_[node].size());
    Result<NaiveBayes> chooser = NaiveBayes::train(choices, here);
    if (!chooser) return chooser.error();
    tree.choosers_[node] = std::move(*chooser);
  }
  return tree;
}

Result<TopicTree> TopicTree::from_parts(Parts parts) {
  TopicTree tree;
  if (Status fine = tree.set_parents(std::move(parts.parents)); !fine) {
    return contradiction(kKind, fine.error().message);
  }
  if (parts.good.size() != tree.size() || parts.choosers.size() != tree.size()) {
    return contradiction(kKind, "not one entry for each node");
  }
  tree.good_ = std::move(parts.good);
  for (uint32_t n = 0; n < tree.size(); ++n) {
    if (!parts.choosers[n]) continue;
    Result<NaiveBayes> chooser = NaiveBayes::from_parts(std::move(*parts.choosers[n]));
    if (!chooser) return chooser.error();
    if (chooser->classes() != tree.children_[n].size()) {
      return contradiction(kKind, "a node has not one class for each child");
    }
    tree.choosers_[n] = std::move(*chooser);
  }
  return tree;
}

Result<TopicTree> TopicTree::load(ByteReader& in) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts));
}

void TopicTree::save(ByteWriter& out) const { save_parts(kKind, parts(), out); }

TopicTree::Parts TopicTree::parts() const {
  Parts parts{.parents = parents_, .good = good_, .choosers = {}};
  for (const auto& chooser : choosers_) {
    parts.choosers.push_back(chooser ? std::optional(chooser->parts()) : std::nullopt);
  }
  return parts;
}

Status TopicTree::set_good(std::span<const uint32_t> nodes) {
  for (const uint32_t n : nodes) {
    if (n >= size()) return Error{"a node marked good is not in the topic tree"};
  }
  std::fill(good_.begin(), good_.end(), 0);
  for (const uint32_t n : nodes) good_[n] = 1;
  return {};
}

std::vector<double> TopicTree::probabilities(const SparseVector& v) const {
  std::vector<double> p(size());
  p[0] = 1;
  for (uint32_t node = 0; node < size(); ++node) {  // a parent comes before its children
    const auto& children = children_[node];
    if (children.empty()) continue;
    const double equal = 1.0 / static_cast<double>(children.size());
    const std::vector<double> shares =
        choosers_[node] ? choosers_[node]->posteriors(v) : std::vector(children.size(), equal);
    for (size_t i = 0; i < children.size(); ++i) p[children[i]] = p[node] * shares[i];
  }
  return p;
}

double TopicTree::relevance_of(std::span<const double> probabilities) const {
  double total = 0;
  for (uint32_t n = 0; n < size(); ++n) {
    if (good_[n] && (n == 0 || !is_within_good(parents_[n]))) total += probabilities[n];
  }
  return std::min(total, 1.0);  // rounding
}

uint32_t TopicTree::best_leaf_of(std::span<const double> probabilities) const {
  std::optional<uint32_t> best;
  for (uint32_t n = 0; n < size(); ++n) {
    if (is_leaf(n) && (!best || probabilities[n] > probabilities[*best])) best = n;
  }
  return *best;  // a tree has a leaf
}

bool TopicTree::is_within_good(uint32_t node) const {
  while (!good_[node] && node != 0) node = parents_[node];
  return good_[node];
}

SparseVector TopicTree::contributions(const SparseVector& v, uint32_t node) const {
  SparseVector total;
  for (; node != 0; node = parents_[node]) {
    const uint32_t parent = parents_[node];
    if (!choosers_[parent]) continue;
    const auto& siblings = children_[parent];
    const auto place = std::find(siblings.begin(), siblings.end(), node) - siblings.begin();
    total = sum(total, choosers_[parent]->contributions(v, static_cast<uint32_t>(place)));
  }
  return total;
}

}  // namespace dowser
