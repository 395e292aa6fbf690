#pragma once

#include <absl/container/flat_hash_map.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive_index.h"
#include "mine/site_template.h"

namespace dowser {

// The templates of all hosts of an archive.
class SiteTemplates {
 public:
  // From at most this many pages of each host, spread over the archive.
  static constexpr size_t kPagesOfHost = 24;

  SiteTemplates() = default;  // knows none
  // `progress` is called now and then with hosts; false ends the work, and nothing is returned.
  static std::optional<SiteTemplates> learn(
      const ArchiveSet& archive, const std::function<bool(size_t done, size_t of)>& progress);

  // The same for pages by number: `hosts` has those of each host, and `page_at` reads one; nothing:
  // it is not a page.
  static std::optional<SiteTemplates> learn(
      const std::vector<std::vector<size_t>>& hosts,
      const std::function<std::optional<Page>(size_t)>& page_at,
      const std::function<bool(size_t done, size_t of)>& progress);

  // As SiteTemplate::mark(), with the template of the page's host. Any thread.
  size_t mark(Page& page) const;

 private:
  absl::flat_hash_map<std::string, SiteTemplate> hosts_;  // only those that have one
};

}  // namespace dowser
