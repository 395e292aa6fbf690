#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// A directed graph of pages and their links. Nodes are numbered 0 … nodes()-1; the caller knows
// which page has which number. A graph never changes: links found later are given to the builder,
// which makes a new graph. Memory: 8 bytes for each edge and 16 for each node; 16 more for each
// edge if there are weights.

namespace dowser {

// One direction of a graph in compressed rows: the neighbours of all nodes in one array, row after
// row. The index of an edge in that array is its number, so an algorithm may keep a value for each
// edge.
class Rows {
 public:
  size_t nodes() const { return starts_.size() - 1; }
  size_t edges() const { return neighbours_.size(); }

  size_t begin(uint32_t node) const { return starts_[node]; }
  size_t end(uint32_t node) const { return starts_[node + 1]; }
  uint32_t neighbour(size_t edge) const { return neighbours_[edge]; }
  double weight(size_t edge) const { return weights_.empty() ? 1 : weights_[edge]; }

  // Sorted, without duplicates.
  std::span<const uint32_t> of(uint32_t node) const {
    return std::span(neighbours_).subspan(begin(node), degree(node));
  }
  size_t degree(uint32_t node) const { return end(node) - begin(node); }

 private:
  friend class LinkGraph;
  Rows reversed() const;

  std::vector<size_t> starts_ = {0};
  std::vector<uint32_t> neighbours_;
  std::vector<double> weights_;  // empty if all are 1
};

struct Edge {
  uint32_t from, to;
  friend bool operator==(const Edge&, const Edge&) = default;
};

class LinkGraph {
 public:
  LinkGraph() = default;  // no nodes
  // A graph of nodes 0 … nodes-1, or more if an edge has a greater number. Repeated edges become
  // one, whose weight is the sum, or 1 in a graph without weights. `weights` is empty or has one
  // for each edge; edges whose weight is not above 0 are left out. Takes O(nodes + edges).
  explicit LinkGraph(std::span<const Edge> edges, size_t nodes = 0,
                     std::span<const double> weights = {});

  size_t nodes() const { return out_.nodes(); }
  size_t edges() const { return out_.edges(); }

  // The same links with other weights, one for each edge in the order of out(). Unlike those of the
  // constructor they may be 0.
  LinkGraph with_weights(std::vector<double> weights) &&;
  LinkGraph with_weights(std::vector<double> weights) const&;

  const Rows& out() const { return out_; }  // the nodes that a node links to
  const Rows& in() const { return in_; }    // the nodes that link to a node

 private:
  Rows out_, in_;
};

// Collects links as they are found: adding one is an append. Freezing does not change the builder,
// so a crawl may make a graph from time to time and add more links afterwards.
class LinkGraphBuilder {
 public:
  // Adds a link without a weight. In a graph in which no edge has a weight a repeated link is one
  // link. Once an edge has a weight, those without weigh 1, and the weights of repeats add up.
  void add(uint32_t from, uint32_t to);
  void add(uint32_t from, uint32_t to, double weight);
  // The graph has at least this many nodes, even if no edge touches the last ones.
  void need_nodes(size_t count) { nodes_ = nodes_ < count ? count : nodes_; }

  size_t added() const { return edges_.size(); }  // counts repeats
  LinkGraph freeze() const { return LinkGraph(edges_, nodes_, weights_); }
  void reserve(size_t edges) { edges_.reserve(edges); }

 private:
  size_t nodes_ = 0;
  std::vector<Edge> edges_;
  std::vector<double> weights_;  // empty, or one for each edge
};

}  // namespace dowser
