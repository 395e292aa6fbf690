#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/link_graph.h"

// Pages that the same pages link to are similar (Small 1973; Küçük 2009, section 2.2.1.3, "topical
// unity principle"). Example: 0 → 2, 0 → 3, 1 → 2, 1 → 3, 4 → 3. Pages 2 and 3 are co-cited twice,
// by 0 and 1; of the three pages that link to either, two link to both, so their similarity is 2/3.
//
// Pages that link to the same pages are similar too (bibliographic coupling, Kessler 1963; Küçük:
// "those with extensive bibliographic overlap"). It is the same in the graph with all links turned
// round: in the example pages 0 and 1 are coupled twice, by 2 and 3, with similarity 1.

namespace dowser {

// The number of pages that link to both; for a node and itself, the number that link to it.
size_t co_citations(const LinkGraph& graph, uint32_t a, uint32_t b);

// The Jaccard coefficient (equation 2-1) of the two sets of pages that link to them, 0 … 1; 0 if
// nothing links to either. Takes O(in-degree of a + of b), as does co_citations().
double co_citation_similarity(const LinkGraph& graph, uint32_t a, uint32_t b);

struct CoCited {
  uint32_t node;
  size_t count;       // pages that link to both
  double similarity;  // the Jaccard coefficient
  friend bool operator==(const CoCited&, const CoCited&) = default;
};

// The `count` nodes most often co-cited with this one: highest counts first, then the more similar,
// then the lower number. Takes O(nodes + all links of the pages that link to the node).
std::vector<CoCited> most_co_cited(const LinkGraph& graph, uint32_t node, size_t count);

// The same for coupling: `count` of a result is the number of pages that both link to. Takes
// O(nodes + all links to the pages that the node links to).
std::vector<CoCited> most_coupled(const LinkGraph& graph, uint32_t node, size_t count);

}  // namespace dowser
