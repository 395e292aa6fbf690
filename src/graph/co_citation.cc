#include "graph/co_citation.h"

#include <algorithm>
#include <tuple>

namespace dowser {
namespace {

double jaccard(const Rows& rows, uint32_t a, uint32_t b, size_t common) {
  const size_t either = rows.degree(a) + rows.degree(b) - common;
  return either == 0 ? 0 : static_cast<double>(common) / static_cast<double>(either);
}

// The nodes that have most neighbours in common with `node`. `back` is `rows` the other way round.
std::vector<CoCited> most_in_common(const Rows& rows, const Rows& back, uint32_t node,
                                    size_t count) {
  std::vector<uint32_t> times(rows.nodes()), found;
  for (const uint32_t common : rows.of(node)) {
    for (const uint32_t other : back.of(common)) {
      if (other != node && times[other]++ == 0) found.push_back(other);
    }
  }
  std::vector<CoCited> alike;
  alike.reserve(found.size());
  for (const uint32_t n : found) alike.push_back({n, times[n], jaccard(rows, node, n, times[n])});
  const size_t kept = std::min(count, alike.size());
  std::partial_sort(alike.begin(), alike.begin() + static_cast<ptrdiff_t>(kept), alike.end(),
                    [](const CoCited& a, const CoCited& b) {
                      return std::tie(b.count, b.similarity, a.node) <
                             std::tie(a.count, a.similarity, b.node);
                    });
  alike.resize(kept);
  return alike;
}

}  // namespace

size_t co_citations(const LinkGraph& graph, uint32_t a, uint32_t b) {
  const auto of_a = graph.in().of(a), of_b = graph.in().of(b);
  size_t common = 0;
  for (size_t i = 0, j = 0; i < of_a.size() && j < of_b.size();) {
    common += of_a[i] == of_b[j];
    const bool next_a = of_a[i] <= of_b[j], next_b = of_b[j] <= of_a[i];
    i += next_a;
    j += next_b;
  }
  return common;
}

double co_citation_similarity(const LinkGraph& graph, uint32_t a, uint32_t b) {
  return jaccard(graph.in(), a, b, co_citations(graph, a, b));
}

std::vector<CoCited> most_co_cited(const LinkGraph& graph, uint32_t node, size_t count) {
  return most_in_common(graph.in(), graph.out(), node, count);
}

std::vector<CoCited> most_coupled(const LinkGraph& graph, uint32_t node, size_t count) {
  return most_in_common(graph.out(), graph.in(), node, count);
}

}  // namespace dowser
