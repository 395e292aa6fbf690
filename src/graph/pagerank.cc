// A random surfer follows a link of the current page, or, with probability 1-d, jumps to a page
// drawn from the teleport vector t. The PageRank of a page is the share of time that the surfer
// spends there (Brin and Page 1998; Küçük 2009, equation 2-3):
//
//   p(v) = (1-d) t(v) + d (Σ p(u) w(u,v) / w(u) over u → v  +  t(v) Σ p(u) over u without links)
//
// where w(u) is the total weight of the links of u. Example: 0 → 1 and 1 → 0 have 1/2 each; with
// 0 → 1 alone, where page 1 has no links, p(1) = (1+d) / (2+d) = 0.649.
//
// d = 0.85 is the papers'. With t on the pages of a topic it is topic-sensitive PageRank
// (Haveliwala 2002; Küçük, section 2.2.1): pages near the topic rank high.
//
// Differences: in Küçük's equation 1-d is not divided by the number of pages, so that the values
// add up to that number, while the text says one; here they add up to one. Küçük does not mention
// pages without links; here the surfer jumps from them, so that nothing is lost. Links may have
// weights. With weak_links_jump, w(u) is the number of links of u instead, and the part of p(u)
// that the weights leave over jumps: a thousand pages that each link to one page with weight 1/1000
// give it together what a single page would.
//
// Cost: O(nodes + edges) for each step. Each step reduces the distance to the solution to at most d
// of it, so a tolerance of 1e-10 takes at most 150 steps on any graph.

#include "graph/pagerank.h"

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

// What a node does with its rank.
struct Giving {
  std::vector<double> part;     // given for each unit of weight of a link
  std::vector<double> jumping;  // the share that jumps
};

Giving giving_of(const Rows& out, const PageRankOptions& options) {
  Giving giving{std::vector<double>(out.nodes()), std::vector<double>(out.nodes(), 1)};
  for (uint32_t u = 0; u < out.nodes(); ++u) {
    double sum = 0;
    for (size_t e = out.begin(u); e < out.end(u); ++e) sum += out.weight(e);
    if (sum <= 0) continue;
    const double all = options.weak_links_jump ? static_cast<double>(out.degree(u)) : sum;
    giving.part[u] = options.damping / all;
    giving.jumping[u] = 1 - options.damping * (sum / all);
  }
  return giving;
}

}  // namespace

PageRank pagerank(const LinkGraph& graph, const PageRankOptions& options,
                  std::span<const double> teleport) {
  assert(teleport.empty() || teleport.size() == graph.nodes());
  PageRank result;
  const size_t nodes = graph.nodes();
  const std::vector<double> t = landing(teleport, nodes);
  const Giving giving = giving_of(graph.out(), options);
  const Rows& in = graph.in();
  result.values = t;
  std::vector<double> given(nodes), next(nodes);
  while (!result.converged && result.steps < options.max_steps) {
    double jumping = 0;
    for (size_t u = 0; u < nodes; ++u) {
      given[u] = result.values[u] * giving.part[u];
      jumping += giving.jumping[u] * result.values[u];
    }
    result.moved = 0;
    for (uint32_t v = 0; v < nodes; ++v) {
      double sum = jumping * t[v];
      for (size_t e = in.begin(v); e < in.end(v); ++e) {
        sum += given[in.neighbour(e)] * in.weight(e);
      }
      next[v] = sum;
      result.moved += std::abs(sum - result.values[v]);
    }
    result.values.swap(next);
    ++result.steps;
    result.converged = result.moved <= options.tolerance;
    if (options.on_step && !options.on_step(result.steps, result.moved)) break;
  }
  return result;
}

}  // namespace dowser
