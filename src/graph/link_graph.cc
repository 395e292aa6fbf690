// Edges are sorted twice by counting sort, first by target and then by source. The second sort is
// stable, so every row comes out sorted with duplicates side by side. The other direction is the
// same over the finished rows. 250,000 edges take some milliseconds.

#include "graph/link_graph.h"

#include <algorithm>
#include <cassert>

namespace dowser {
namespace {

// The numbers sorted by their keys, which are 0 … count-1; equal keys keep the order of `numbers`.
template <class Key>
std::vector<size_t> sorted_by(const std::vector<size_t>& numbers, size_t keys, Key key) {
  std::vector<size_t> next(keys + 1);
  for (const size_t i : numbers) ++next[key(i) + 1];
  for (size_t k = 0; k < keys; ++k) next[k + 1] += next[k];
  std::vector<size_t> sorted(numbers.size());
  for (const size_t i : numbers) sorted[next[key(i)]++] = i;
  return sorted;
}

}  // namespace

LinkGraph::LinkGraph(std::span<const Edge> edges, size_t nodes, std::span<const double> weights) {
  assert(weights.empty() || weights.size() == edges.size());
  std::vector<size_t> order;
  order.reserve(edges.size());
  for (size_t i = 0; i < edges.size(); ++i) {
    nodes = std::max(nodes, size_t{std::max(edges[i].from, edges[i].to)} + 1);
    if (weights.empty() || weights[i] > 0) order.push_back(i);
  }
  order = sorted_by(order, nodes, [&](size_t i) { return edges[i].to; });
  order = sorted_by(order, nodes, [&](size_t i) { return edges[i].from; });

  out_.starts_.assign(nodes + 1, 0);
  out_.neighbours_.reserve(order.size());
  if (!weights.empty()) out_.weights_.reserve(order.size());
  const Edge* last = nullptr;
  for (const size_t i : order) {
    const Edge& edge = edges[i];
    if (last != nullptr && *last == edge) {
      if (!weights.empty()) out_.weights_.back() += weights[i];
      continue;
    }
    last = &edge;
    out_.neighbours_.push_back(edge.to);
    if (!weights.empty()) out_.weights_.push_back(weights[i]);
    ++out_.starts_[edge.from + size_t{1}];
  }
  for (size_t n = 0; n < nodes; ++n) out_.starts_[n + 1] += out_.starts_[n];
  in_ = out_.reversed();
}

Rows Rows::reversed() const {
  Rows r;
  r.starts_.assign(nodes() + 1, 0);
  r.neighbours_.resize(edges());
  r.weights_.resize(weights_.size());
  for (const uint32_t n : neighbours_) ++r.starts_[n + size_t{1}];
  for (size_t n = 0; n < nodes(); ++n) r.starts_[n + 1] += r.starts_[n];
  std::vector<size_t> next = r.starts_;
  for (uint32_t node = 0; node < nodes(); ++node) {
    for (size_t e = begin(node); e < end(node); ++e) {
      const size_t place = next[neighbours_[e]]++;
      r.neighbours_[place] = node;
      if (!weights_.empty()) r.weights_[place] = weights_[e];
    }
  }
  return r;
}

LinkGraph LinkGraph::with_weights(std::vector<double> weights) && {
  assert(weights.size() == edges());
  // Rows of `in` are sorted by source, and sources are visited in that order.
  std::vector<size_t> next = in_.starts_;
  in_.weights_.resize(weights.size());
  for (size_t e = 0; e < weights.size(); ++e)
    in_.weights_[next[out_.neighbours_[e]]++] = weights[e];
  out_.weights_ = std::move(weights);
  return std::move(*this);
}

LinkGraph LinkGraph::with_weights(std::vector<double> weights) const& {
  return LinkGraph(*this).with_weights(std::move(weights));
}

void LinkGraphBuilder::add(uint32_t from, uint32_t to) {
  edges_.push_back({from, to});
  if (!weights_.empty()) weights_.push_back(1);
}

void LinkGraphBuilder::add(uint32_t from, uint32_t to, double weight) {
  weights_.resize(edges_.size(), 1);
  edges_.push_back({from, to});
  weights_.push_back(weight);
}

}  // namespace dowser
