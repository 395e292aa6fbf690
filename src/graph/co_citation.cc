#include "graph/co_citation.h"

#include <algorithm>
#include <tuple>

namespace dowser {
namespace {

double jaccard(const LinkGraph& graph, uint32_t a, uint32_t b, size_t common) {
  const size_t either = graph.in().degree(a) + graph.in().degree(b) - common;
  return either == 0 ? 0 : static_cast<double>(common) / static_cast<double>(either);
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
  return jaccard(graph, a, b, co_citations(graph, a, b));
}

std::vector<CoCited> most_co_cited(const LinkGraph& graph, uint32_t node, size_t count) {
  std::vector<uint32_t> times(graph.nodes()), found;
  for (const uint32_t source : graph.in().of(node)) {
    for (const uint32_t other : graph.out().of(source)) {
      if (other != node && times[other]++ == 0) found.push_back(other);
    }
  }
  std::vector<CoCited> cited;
  cited.reserve(found.size());
  for (const uint32_t n : found) {
    cited.push_back({n, times[n], jaccard(graph, node, n, times[n])});
  }
  const size_t kept = std::min(count, cited.size());
  std::partial_sort(cited.begin(), cited.begin() + static_cast<ptrdiff_t>(kept), cited.end(),
                    [](const CoCited& a, const CoCited& b) {
                      return std::tie(b.count, b.similarity, a.node) <
                             std::tie(a.count, a.similarity, b.node);
                    });
  cited.resize(kept);
  return cited;
}

}  // namespace dowser
