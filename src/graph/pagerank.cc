// A surfer follows a link of his page at random, or, bored, with chance 1-d jumps to a page drawn
// from the teleport vector t. PageRank is the share of his time that he spends on each page (Brin
// and Page 1998; eq. 2-3 of Küçük 2009):
//
//   p(v) = (1-d) t(v) + d (Σ p(u) w(u,v) / w(u) over u → v  +  t(v) Σ p(u) over u without links)
//
// where w(u) is the weight of all links of u together. Example: 0 → 1 and 1 → 0 have 1/2 each; for
// 0 → 1 alone, where page 1 leads nowhere, p(1) = (1+d) / (2+d) = 0.649.
//
// d = 0.85 is the papers'. With t on the pages of one topic it is topic-sensitive PageRank
// (Haveliwala 2002, the last paragraph of Küçük's 2.2.1): pages near the topic rank high.
//
// What differs: Küçük's (2-3) has 1-d without dividing by the number of pages, so his values add
// up to that number, while his text says to one; here they add up to one, as the text has it. He
// says nothing of pages without links; the surfer jumps there as a bored one does, so nothing is
// lost. Links may have weights.
//
// Cost: O(nodes + edges) a step; each step leaves at most d of the distance, so 1e-10 takes at most
// 150 steps, whatever the graph.

#include "graph/pagerank.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace dowser {
namespace {

// Scaled to add up to 1.
std::vector<double> landing(std::span<const double> teleport, size_t nodes) {
  std::vector<double> t(teleport.begin(), teleport.end());
  const double sum = std::accumulate(t.begin(), t.end(), 0.0);
  if (sum <= 0) return std::vector<double>(nodes, 1.0 / static_cast<double>(nodes));
  for (double& x : t) x /= sum;
  return t;
}

// For each node 1 / the weight of its links together; 0 = it has none.
std::vector<double> parts(const Rows& out) {
  std::vector<double> part(out.nodes());
  for (uint32_t u = 0; u < out.nodes(); ++u) {
    double sum = 0;
    for (size_t e = out.begin(u); e < out.end(u); ++e) sum += out.weight(e);
    part[u] = sum > 0 ? 1 / sum : 0;
  }
  return part;
}

}  // namespace

PageRank pagerank(const LinkGraph& graph, const PageRankOptions& options,
                  std::span<const double> teleport) {
  assert(teleport.empty() || teleport.size() == graph.nodes());
  PageRank result;
  const size_t nodes = graph.nodes();
  const std::vector<double> t = landing(teleport, nodes), part = parts(graph.out());
  const Rows& in = graph.in();
  result.values = t;
  std::vector<double> given(nodes), next(nodes);
  while (!result.converged && result.steps < options.max_steps) {
    double jumping = 0;
    for (size_t u = 0; u < nodes; ++u) {
      given[u] = options.damping * result.values[u] * part[u];
      jumping += (part[u] > 0 ? 1 - options.damping : 1) * result.values[u];
    }
    double moved = 0;
    for (uint32_t v = 0; v < nodes; ++v) {
      double sum = jumping * t[v];
      for (size_t e = in.begin(v); e < in.end(v); ++e) {
        sum += given[in.neighbour(e)] * in.weight(e);
      }
      next[v] = sum;
      moved += std::abs(sum - result.values[v]);
    }
    result.values.swap(next);
    ++result.steps;
    result.converged = moved <= options.tolerance;
  }
  return result;
}

}  // namespace dowser
