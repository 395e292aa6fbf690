#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/url.h"

// Lists of addresses that sites publish for robots (sitemaps.org) and for readers (RSS, Atom).
// They are untrusted input; sitemap.cc says what is done about that.

namespace dowser {

enum class SitemapKind : uint8_t {
  kPages,  // <urlset>
  kIndex,  // <sitemapindex>: a list of sitemaps
  kText,   // one address a line
  kRss,    // 0.9 … 2.0
  kAtom,
};
std::string_view name_of(SitemapKind kind);

struct Sitemap {
  struct Entry {
    Url url;
    std::optional<Time> modified;    // lastmod, pubDate, updated
    std::optional<double> priority;  // 0 … 1, among the pages of the site
  };

  SitemapKind kind = SitemapKind::kPages;
  std::vector<Entry> pages;
  std::vector<Entry> sitemaps;  // of an index: to be read in turn
  bool truncated = false;       // a limit, or the end of the bytes, cut it short
};

struct SitemapLimits {
  size_t entries = 50'000;    // as the protocol has it; pages and sitemaps each
  size_t bytes = 50'000'000;  // unpacked
  size_t address = 2048;      // longer ones are left out
};

// Reads what a server sent for a sitemap or feed, gzip or not, whatever its content type said.
// Addresses that are not http are left out; relative ones are resolved against `base` where it is
// given. Extensions (news, images, videos, alternates) are ignored. Broken XML gives what can
// be read of it. An error if it is none of these kinds.
Result<Sitemap> parse_sitemap(std::string_view bytes, const Url& base = {},
                              const SitemapLimits& limits = {});

}  // namespace dowser
