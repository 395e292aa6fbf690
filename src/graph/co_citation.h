#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/link_graph.h"

// Pages that the same pages point to are alike (Small 1973; Küçük 2009, 2.2.1.3: the topical unity
// principle). Example: 0 → 2, 0 → 3, 1 → 2, 1 → 3, 4 → 3. Pages 2 and 3 are co-cited twice, by 0
// and 1; of the three pages that point to either, two point to both: similarity 2/3.

namespace dowser {

// How many pages point to both; of a node and itself, how many point to it.
size_t co_citations(const LinkGraph& graph, uint32_t a, uint32_t b);

// Jaccard's coefficient (eq. 2-1) of the two sets of pages that point to them, 0 … 1; 0 where
// nothing points to either. Takes O(in-degree of a + of b), as does co_citations().
double co_citation_similarity(const LinkGraph& graph, uint32_t a, uint32_t b);

struct CoCited {
  uint32_t node;
  size_t count;       // pages that point to both
  double similarity;  // Jaccard's, as above
  friend bool operator==(const CoCited&, const CoCited&) = default;
};

// The `count` nodes most often co-cited with this one, itself left out: the highest counts first,
// of equal ones the more similar, then the lower number. Takes O(nodes + all links of the pages
// that point to the node).
std::vector<CoCited> most_co_cited(const LinkGraph& graph, uint32_t node, size_t count);

}  // namespace dowser
