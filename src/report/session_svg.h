#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// The graph of a session as a picture: pages as circles in columns by their distance to a target,
// coloured by it, targets ringed, links as lines.

namespace dowser {

struct GraphPicture {
  struct Node {
    std::string label;    // short, beside the circle
    std::string address;  // shown when the pointer rests on it
    uint32_t state = 0;   // its column; 0 is drawn rightmost
    bool target = false;
  };
  std::vector<Node> nodes;
  std::vector<std::pair<uint32_t, uint32_t>> links;
  uint32_t states = 4;
};

// An SVG file of its own. Of more than `most` pages the targets and those with most links are
// drawn, and a line says how many are not.
std::string graph_svg(const GraphPicture& picture, size_t most = 300);

}  // namespace dowser
