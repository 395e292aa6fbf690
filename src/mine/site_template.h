#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/page.h"

// What the pages of a host have in common: menus, banners, notices. The essay is in
// site_template.cc.

namespace dowser {

inline constexpr BlockRole kTemplateRole = BlockRole::kHeader;

struct SiteTemplateOptions {
  size_t partners = 8;      // pages that each page is compared with
  double similarity = 0.8;  // of the shingles of two corresponding blocks that say the same
  double share = 0.5;       // of its partners on which a block must be found again
  size_t least_pages = 4;   // a host with fewer pages has no template
};

// Immutable once it is learned; any thread may use it.
class SiteTemplate {
 public:
  SiteTemplate() = default;  // knows nothing
  // From pages of one host, some dozens.
  static SiteTemplate learn(std::span<const Page> pages, const SiteTemplateOptions& options = {});

  // Gives the blocks of a page that belong to the template the role kTemplateRole; returns how many
  // they are.
  size_t mark(Page& page) const;

  size_t blocks() const { return blocks_; }

 private:
  struct Known {
    uint64_t digest = 0;             // of its words
    std::vector<uint64_t> shingles;  // a sorted set
  };
  bool holds(std::span<const Known> of_path, std::string_view text) const;

  absl::flat_hash_map<std::string, std::vector<Known>> known_;  // by tag path
  double similarity_ = 1;
  size_t blocks_ = 0;
};

// The corresponding blocks of two pages, by matching their trees: pairs of indices into their
// blocks, both rising.
std::vector<std::pair<uint32_t, uint32_t>> matching_blocks(const Page& a, const Page& b);

}  // namespace dowser
