// "Web pages can be clustered into connected page communities with respect to their citation and
// co-citation strengths" (Küçük 2009, section 2.2.1.3, who gives no method). Here a community is a
// group of pages with more links inside than chance would give, measured by modularity (Newman and
// Girvan 2004):
//
//   Q = Σ over communities c of  w(c)/m - (d(c)/2m)²
//
// where w(c) is the weight of the links inside, d(c) the weight of all link ends at its pages, and
// m the weight of all links, without direction. Example: two triangles joined by one link. As two
// communities Q = 2 (3/7 - (7/14)²) = 0.357; as one it is 0.
//
// The method of Louvain (Blondel, Guillaume, Lambiotte and Lefebvre 2008): each page starts alone
// and moves to the community of a neighbour where Q grows most, in passes over all pages until
// little changes. Then each community becomes one page of a smaller graph, and the same begins
// again, until nothing moves.
//
// Co-citation needs no term of its own: pages that the same pages link to come together through
// them. Pages are visited in the order of their numbers and ties keep a page where it is, or go to
// the lowest number, so a result repeats. Unlike in the paper a level ends when a pass gains less
// than `tolerance`, since the last passes cost most and move little. A page without links is a
// community of its own.
//
// Cost: O(edges) for each pass, some ten of them in all; 16 bytes for each edge.

#include "graph/communities.h"

#include <algorithm>
#include <numeric>

namespace dowser {
namespace {

// A graph without direction, each edge at both ends; loops, which only the smaller graphs have,
// once with twice their weight.
struct Undirected {
  std::vector<size_t> starts = {0};
  std::vector<uint32_t> neighbours;
  std::vector<float> weights;
  std::vector<double> degrees;  // weight of all ends at a node
  double total = 0;             // of all degrees: 2m

  size_t nodes() const { return degrees.size(); }
  void end_node() {
    starts.push_back(neighbours.size());
    double degree = 0;
    for (size_t e = starts[starts.size() - 2]; e < neighbours.size(); ++e) degree += weights[e];
    degrees.push_back(degree);
    total += degree;
  }
};

Undirected undirected(const LinkGraph& graph) {
  Undirected all;
  all.neighbours.reserve(2 * graph.edges());
  all.weights.reserve(2 * graph.edges());
  for (uint32_t n = 0; n < graph.nodes(); ++n) {
    size_t o = graph.out().begin(n), i = graph.in().begin(n);
    while (o < graph.out().end(n) || i < graph.in().end(n)) {  // merges two sorted rows
      const bool has_out = o < graph.out().end(n), has_in = i < graph.in().end(n);
      const uint32_t to = has_out ? graph.out().neighbour(o) : UINT32_MAX;
      const uint32_t from = has_in ? graph.in().neighbour(i) : UINT32_MAX;
      double weight = 0;
      if (to <= from) weight += graph.out().weight(o++);
      if (from <= to) weight += graph.in().weight(i++);
      all.neighbours.push_back(std::min(to, from));
      all.weights.push_back(static_cast<float>(weight));
    }
    all.end_node();
  }
  return all;
}

// The weights from one node to the communities around it: an array that is emptied again, since
// hash tables would take most of the time.
class Around {
 public:
  explicit Around(size_t communities) : weights_(communities, -1) {}
  void add(uint32_t community, double weight) {
    if (weights_[community] < 0) {
      weights_[community] = 0;
      found_.push_back(community);
    }
    weights_[community] += weight;
  }
  double weight(uint32_t community) const { return std::max(weights_[community], 0.0); }
  const std::vector<uint32_t>& found() const { return found_; }
  void clear() {
    for (const uint32_t c : found_) weights_[c] = -1;
    found_.clear();
  }

 private:
  std::vector<double> weights_;
  std::vector<uint32_t> found_;
};

class Level {
 public:
  explicit Level(const Undirected& graph)
      : graph_(graph), of_(graph.nodes()), totals_(graph.degrees), around_(graph.nodes()) {
    std::iota(of_.begin(), of_.end(), 0);
  }

  // Moves every node once; returns by how much Q grew.
  double pass() {
    double gained = 0;
    for (uint32_t n = 0; n < graph_.nodes(); ++n) gained += move(n);
    return gained;
  }

  // The communities, numbered without gaps; returns how many there are.
  size_t take(std::vector<uint32_t>& of) {
    std::vector<uint32_t> number(of_.size(), UINT32_MAX);
    uint32_t count = 0;
    for (uint32_t& c : of_) {
      if (number[c] == UINT32_MAX) number[c] = count++;
      c = number[c];
    }
    of = std::move(of_);
    return count;
  }

 private:
  double move(uint32_t n) {
    const double degree = graph_.degrees[n];
    if (degree == 0) return 0;
    for (size_t e = graph_.starts[n]; e < graph_.starts[n + 1]; ++e) {
      if (graph_.neighbours[e] != n) around_.add(of_[graph_.neighbours[e]], graph_.weights[e]);
    }
    const uint32_t old = of_[n];
    totals_[old] -= degree;
    const auto gain = [&](uint32_t c) {
      return around_.weight(c) - degree * totals_[c] / graph_.total;
    };
    const double stays = gain(old);
    uint32_t best = old;
    double most = stays;
    for (const uint32_t c : around_.found()) {
      const double g = gain(c);
      if (g > most + 1e-12 || (g > stays + 1e-12 && g >= most - 1e-12 && c < best)) {
        best = c;
        most = std::max(g, most);
      }
    }
    around_.clear();
    totals_[best] += degree;
    of_[n] = best;
    return 2 * (most - stays) / graph_.total;
  }

  const Undirected& graph_;
  std::vector<uint32_t> of_;
  std::vector<double> totals_;  // degrees of the nodes of each community
  Around around_;
};

// Each community as one node.
Undirected merged(const Undirected& graph, const std::vector<uint32_t>& of, size_t count) {
  std::vector<size_t> next(count + 1);
  for (const uint32_t c : of) ++next[c + size_t{1}];
  for (size_t c = 0; c < count; ++c) next[c + 1] += next[c];
  std::vector<uint32_t> members(of.size());
  for (uint32_t n = 0; n < of.size(); ++n) members[next[of[n]]++] = n;
  Undirected small;
  Around around(count);
  size_t m = 0;
  for (uint32_t c = 0; c < count; ++c) {
    for (; m < members.size() && of[members[m]] == c; ++m) {
      const uint32_t n = members[m];
      for (size_t e = graph.starts[n]; e < graph.starts[n + 1]; ++e) {
        around.add(of[graph.neighbours[e]], graph.weights[e]);
      }
    }
    for (const uint32_t other : around.found()) {
      small.neighbours.push_back(other);
      small.weights.push_back(static_cast<float>(around.weight(other)));
    }
    around.clear();
    small.end_node();
  }
  return small;
}

// The modularity of a graph whose nodes are the communities: what is inside one is its loop.
double modularity_of_loops(const Undirected& graph) {
  double q = 0;
  for (uint32_t n = 0; n < graph.nodes() && graph.total > 0; ++n) {
    for (size_t e = graph.starts[n]; e < graph.starts[n + 1]; ++e) {
      if (graph.neighbours[e] == n) q += graph.weights[e] / graph.total;
    }
    q -= graph.degrees[n] / graph.total * (graph.degrees[n] / graph.total);
  }
  return q;
}

// Numbers by size, the largest first; of equal ones the one whose first node comes first.
size_t number_by_size(std::vector<uint32_t>& of) {
  std::vector<size_t> sizes;
  for (const uint32_t c : of) {
    if (c >= sizes.size()) sizes.resize(c + size_t{1});
    ++sizes[c];
  }
  std::vector<uint32_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return sizes[a] > sizes[b]; });
  std::vector<uint32_t> number(sizes.size());
  for (uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  for (uint32_t& c : of) c = number[c];
  return sizes.size();
}

}  // namespace

double modularity(const LinkGraph& graph, const std::vector<uint32_t>& community) {
  double all = 0, inside = 0;
  std::vector<double> ends;
  const auto add_end = [&](uint32_t node, double weight) {
    if (community[node] >= ends.size()) ends.resize(community[node] + size_t{1});
    ends[community[node]] += weight;
  };
  for (uint32_t from = 0; from < graph.nodes(); ++from) {
    for (size_t e = graph.out().begin(from); e < graph.out().end(from); ++e) {
      const uint32_t to = graph.out().neighbour(e);
      const double weight = graph.out().weight(e);
      all += weight;
      if (community[from] == community[to]) inside += weight;
      add_end(from, weight);
      add_end(to, weight);
    }
  }
  if (all == 0) return 0;
  double q = inside / all;
  for (const double e : ends) q -= e / (2 * all) * (e / (2 * all));
  return q;
}

Communities communities(LinkGraph graph, const CommunityOptions& options) {
  Communities result;
  result.of.resize(graph.nodes());
  std::iota(result.of.begin(), result.of.end(), 0);
  Undirected level_graph = undirected(graph);
  graph = LinkGraph();
  bool going_on = true;
  for (int level = 1; going_on; ++level) {
    Level nodes(level_graph);
    bool moved = false;
    for (int pass = 1; going_on && pass <= options.max_passes; ++pass) {
      const double gained = nodes.pass();
      moved = moved || gained > options.tolerance;
      if (options.on_pass) going_on = options.on_pass(level, pass);
      if (gained <= options.tolerance) break;
    }
    std::vector<uint32_t> of;
    const size_t count = nodes.take(of);
    for (uint32_t& c : result.of) c = of[c];
    going_on = going_on && moved && count < of.size();
    level_graph = merged(level_graph, of, count);
  }
  result.modularity = modularity_of_loops(level_graph);
  result.count = number_by_size(result.of);
  return result;
}

}  // namespace dowser
