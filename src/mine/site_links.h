#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/link_graph.h"
#include "mine/site_pages.h"
#include "mine/string_table.h"

// Which page of a site links to which, read from an archive or from the catalogue of a crawl. A log
// does not contain this, and without it the path of a visitor from one page to the next is unknown.

namespace dowser {

class SiteLinks {
 public:
  // The `site` argument of SitePages::key() for a host name; nothing for hosts of others.
  using SiteOf = std::function<std::optional<std::string>(std::string_view host)>;

  SiteLinks() = default;  // knows nothing
  // `places` are WARC files, or folders that dowser crawl has left.
  static Result<SiteLinks> read(std::span<const std::string> places, const SitePages& pages,
                                const SiteOf& site_of);

  bool empty() const { return keys_.size() == 0; }
  size_t pages() const { return archived_; }
  size_t links() const { return graph_.edges(); }

  // Pages by their keys, as SitePages::key() has them.
  bool has_link(std::string_view from, std::string_view to) const;
  bool has_frame(std::string_view from, std::string_view to) const;

 private:
  class Reader;

  StringTable keys_{size_t{1} << 30};
  LinkGraph graph_;
  absl::flat_hash_set<uint64_t> frames_;
  size_t archived_ = 0;
};

// The host that most pages of the archive or crawl have; "" if there are none.
Result<std::string> most_common_host(const std::string& place);

}  // namespace dowser
