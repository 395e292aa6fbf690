#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// A directed graph of pages and their links, as numbers. Nodes are 0 … nodes()-1; who calls keeps
// which page has which. A graph never changes: links found later go to the builder, which makes
// the next graph. Memory: 8 bytes an edge and 16 a node, 16 more an edge where there are weights.

namespace dowser {

// One direction of a graph as compressed rows: the neighbours of all nodes in one array, row behind
// row. The place of an edge in that array is its number, so an algorithm may keep a value an edge.
class Rows {
 public:
  size_t nodes() const { return starts_.size() - 1; }
  size_t edges() const { return neighbours_.size(); }

  size_t begin(uint32_t node) const { return starts_[node]; }
  size_t end(uint32_t node) const { return starts_[node + 1]; }
  uint32_t neighbour(size_t edge) const { return neighbours_[edge]; }
  double weight(size_t edge) const { return weights_.empty() ? 1 : weights_[edge]; }

  // By rising number, each once.
  std::span<const uint32_t> of(uint32_t node) const {
    return std::span(neighbours_).subspan(begin(node), degree(node));
  }
  size_t degree(uint32_t node) const { return end(node) - begin(node); }

 private:
  friend class LinkGraph;
  Rows reversed() const;

  std::vector<size_t> starts_ = {0};
  std::vector<uint32_t> neighbours_;
  std::vector<double> weights_;  // empty = all are 1
};

struct Edge {
  uint32_t from, to;
  friend bool operator==(const Edge&, const Edge&) = default;
};

class LinkGraph {
 public:
  LinkGraph() = default;  // no nodes
  // Of nodes 0 … nodes-1, or more where an edge says so. Repeated edges become one; its weight is
  // the sum of theirs, or 1 in a graph without weights. `weights` is empty or has one for each
  // edge; an edge whose weight is not above 0 is left out. Takes O(nodes + edges).
  explicit LinkGraph(std::span<const Edge> edges, size_t nodes = 0,
                     std::span<const double> weights = {});

  size_t nodes() const { return out_.nodes(); }
  size_t edges() const { return out_.edges(); }

  const Rows& out() const { return out_; }  // of a node: what it links to
  const Rows& in() const { return in_; }    // of a node: what links to it

 private:
  Rows out_, in_;
};

// Links as they are found: adding one is an append. Freezing leaves the builder as it is, so a
// crawl may freeze every so often and go on.
class LinkGraphBuilder {
 public:
  // Without a weight: in a graph where no edge has one, a link repeated is still one link. Once
  // any edge came with a weight, those without weigh 1, and the weights of repeats add up.
  void add(uint32_t from, uint32_t to);
  void add(uint32_t from, uint32_t to, double weight);
  // The graph has at least so many nodes, though no edge may touch the last ones.
  void need_nodes(size_t count) { nodes_ = nodes_ < count ? count : nodes_; }

  size_t added() const { return edges_.size(); }  // repeats count
  LinkGraph freeze() const { return LinkGraph(edges_, nodes_, weights_); }

 private:
  size_t nodes_ = 0;
  std::vector<Edge> edges_;
  std::vector<double> weights_;  // empty, or one for each edge
};

}  // namespace dowser
