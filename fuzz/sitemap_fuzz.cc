#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "seed/sitemap.h"

// Any bytes as a sitemap: no crash, and what comes out keeps the promises of the header.

namespace dowser {
namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const std::vector<Sitemap::Entry>& entries, const SitemapLimits& limits) {
  require(entries.size() <= limits.entries);
  for (const Sitemap::Entry& entry : entries) {
    require(entry.url.is_http() && !entry.url.has_fragment());
    require(!entry.priority || (*entry.priority >= 0 && *entry.priority <= 1));
  }
}

}  // namespace
}  // namespace dowser

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dowser;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  SitemapLimits limits;
  limits.entries = 50;
  limits.bytes = 1 << 16;
  static const Url base = *Url::parse("http://a.test/x/");
  const Result<Sitemap> sitemap = parse_sitemap(input, base, limits);
  if (!sitemap) return 0;
  check(sitemap->pages, limits);
  check(sitemap->sitemaps, limits);
  require((sitemap->kind == SitemapKind::kIndex) ? sitemap->pages.empty()
                                                 : sitemap->sitemaps.empty());
  return 0;
}
