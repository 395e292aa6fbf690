#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "store/layer_links.h"

namespace dowser {

// A link text and where the links with this text led.
struct MinedAnchor {
  std::string text;    // in its most frequent form
  uint32_t links = 0;  // whose target's layer is known
  uint32_t meant = 0;  // of these, links that lead where the list requires
};

// Finds the two lists of the anchor inspection (Chen 2008, 4.2.2) in the links that a crawl has
// followed: texts of links from layer 1 to pages in no layer, which are to be pruned, and texts of
// links from layer 2 to layer 1 or 2, which are to be extracted. Chen collected them by hand, on
// 1,000 pages of layer 1 and 5,000 of layer 2. Texts are one if they are equal after stop words are
// removed and words are stemmed.
class AnchorMiner {
 public:
  void add(const LayerLink& link);

  // Texts with at least `support` links that lead where the list requires, if these are at least
  // nine tenths of all links with that text; the most frequent first.
  std::vector<MinedAnchor> pruning(uint32_t support) const { return list(1, support); }
  std::vector<MinedAnchor> extracting(uint32_t support) const { return list(2, support); }
  uint64_t links_from(uint32_t layer) const { return links_[layer]; }

 private:
  struct Counts {
    uint32_t links = 0, meant = 0;
    std::map<std::string, uint32_t> spellings;
  };
  std::vector<MinedAnchor> list(uint32_t layer, uint32_t support) const;

  std::map<std::string, Counts> counts_[3];  // by layer of the page, by prepared text
  uint64_t links_[3] = {};
};

}  // namespace dowser
