#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mine/string_table.h"

// Determines which page view a request belongs to. Addresses that a server answers with the same
// page are one page (by the rules of model/url_canonical.h), and addresses that match a pattern are
// one page view with a name: "/product/*" as "product". Parts of a page (style sheets, pictures)
// are not page views.

namespace dowser {

struct NamedPattern {
  std::string pattern;  // as base/glob.h has it, matched against "/path?query"
  std::string name;
};

struct SitePagesOptions {
  std::vector<NamedPattern> views;
  std::vector<NamedPattern> events;  // at most 32
  std::vector<std::string> assets;   // patterns, besides the usual extensions
  bool keep_assets = false;          // they are pages like all others
};

enum class TargetKind : uint8_t { kPage, kAsset, kRobotsTxt, kForeign };

struct Target {
  uint32_t page = StringTable::kNone;  // of a page; kNone where there is no room for more pages
  TargetKind kind = TargetKind::kPage;
  bool asset = false;   // even if assets are kept as pages
  uint32_t events = 0;  // a bit for each event it matches
};

class SitePages {
 public:
  explicit SitePages(SitePagesOptions options, size_t most_bytes = 48 << 20);

  // `site` is the host that was asked, "" if the log does not say.
  Target read(std::string_view site, std::string_view target);
  // The page of an address of this site, as it occurs in referrers and links; kNone where no
  // request has asked for it yet, or it is not a page.
  uint32_t find(std::string_view site, std::string_view target) const;

  // What makes two addresses the same page.
  std::string key(std::string_view site, std::string_view target) const;
  std::string_view key(uint32_t page) const { return keys_.text(page); }

  size_t size() const { return targets_.size(); }
  // The name for people: that of its view, or its address without the site.
  std::string name(uint32_t page) const;
  // The shortest target with which it was requested, "/a?b"; of equally short ones the first in the
  // order of their bytes. So it does not depend on which was requested first.
  std::string_view target(uint32_t page) const { return targets_[page]; }
  // The host it belongs to, "" for the site of the log.
  std::string_view site(uint32_t page) const;
  const SitePagesOptions& options() const { return options_; }

  // By its extension, "/robots.txt" and "/favicon.ico" included.
  static bool is_asset(std::string_view target);

 private:
  const NamedPattern* view_of(std::string_view target) const;

  const SitePagesOptions options_;
  StringTable keys_;
  StringBlocks blocks_;
  std::vector<std::string_view> targets_;             // by page
  absl::flat_hash_map<uint32_t, std::string> sites_;  // of pages of other hosts
};

}  // namespace dowser
