#include "mine/anchor_miner.h"

#include <algorithm>

#include "text/terms.h"

namespace dowser {
namespace {

constexpr double kLeastShare = 0.9;

// The terms of a text as bytes, with its language: "" if nothing is left of it.
std::string prepared(const std::string& text, std::string_view language) {
  const std::vector<TermId> terms = term_ids(text, language);
  if (terms.empty()) return "";
  return std::string(analysed_language(language)) + '\0' +
         std::string(reinterpret_cast<const char*>(terms.data()), terms.size() * sizeof(TermId));
}

}  // namespace

void AnchorMiner::add(const LayerLink& link) {
  if (!link.to || link.from < 1 || link.from > 2) return;
  ++links_[link.from];
  const std::string key = prepared(link.anchor, link.language);
  if (key.empty()) return;
  Counts& counts = counts_[link.from][key];
  ++counts.links;
  counts.meant += link.from == 1 ? *link.to == 0 : *link.to != 0;
  ++counts.spellings[link.anchor];
}

std::vector<MinedAnchor> AnchorMiner::list(uint32_t layer, uint32_t support) const {
  std::vector<MinedAnchor> mined;
  for (const auto& [key, counts] : counts_[layer]) {
    if (counts.meant < support || counts.meant < kLeastShare * counts.links) continue;
    const auto most =
        std::max_element(counts.spellings.begin(), counts.spellings.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    mined.push_back({most->first, counts.links, counts.meant});
  }
  std::stable_sort(mined.begin(), mined.end(), [](const MinedAnchor& a, const MinedAnchor& b) {
    return a.meant != b.meant ? a.meant > b.meant : a.text < b.text;
  });
  return mined;
}

}  // namespace dowser
