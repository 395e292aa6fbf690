#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace dowser {

// A link that was followed in a crawl with the strategy cindi, and the layers of the pages at its
// ends: 1 is relevant, 2 leads to relevant pages, 0 is neither.
struct LayerLink {
  std::string anchor, language;  // of the page that it is on
  uint32_t from = 0;
  std::optional<uint32_t> to;  // nothing: no link of that page was new, so nobody noted its layer
};

// Every such link, in the order in which the pages were fetched. The layers are those that
// `dowser explain` shows: the catalogue keeps them with the links.
Status for_each_layer_link(const std::filesystem::path& catalogue,
                           const std::function<void(const LayerLink&)>& use);

}  // namespace dowser
