#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/terms.h"
#include "graph/link_graph.h"

// The classes of the pages around a page, as terms that a text classifier can use like words.
// neighbour_classes.cc describes them.

namespace dowser {

inline constexpr uint32_t kUnknownClass = UINT32_MAX;

// `class_of` has the class of each node of the graph, or kUnknownClass. Sorted by term. The class
// of the node itself is not used.
std::vector<TermCount> neighbour_terms(const LinkGraph& graph, uint32_t node,
                                       std::span<const uint32_t> class_of);

// Terms of a page and those of its neighbours together, sorted by term.
std::vector<TermCount> with_neighbour_terms(std::span<const TermCount> words,
                                            std::span<const TermCount> neighbours);

}  // namespace dowser
