#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dowser {

struct RankedNode {
  uint32_t node;
  double value;
  friend bool operator==(const RankedNode&, const RankedNode&) = default;
};

// The `count` nodes of the highest values, the best first; of equal ones the lower number. Nodes
// whose value is not above 0 are left out.
std::vector<RankedNode> best_nodes(std::span<const double> values, size_t count);

}  // namespace dowser
