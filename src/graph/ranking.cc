#include "graph/ranking.h"

#include <algorithm>

namespace dowser {

std::vector<RankedNode> best_nodes(std::span<const double> values, size_t count) {
  std::vector<RankedNode> nodes;
  for (size_t n = 0; n < values.size(); ++n) {
    if (values[n] > 0) nodes.push_back({static_cast<uint32_t>(n), values[n]});
  }
  const size_t kept = std::min(count, nodes.size());
  std::partial_sort(nodes.begin(), nodes.begin() + static_cast<ptrdiff_t>(kept), nodes.end(),
                    [](const RankedNode& a, const RankedNode& b) {
                      return a.value != b.value ? a.value > b.value : a.node < b.node;
                    });
  nodes.resize(kept);
  return nodes;
}

}  // namespace dowser
