#include "mine/site_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "archive/archive_index.h"
#include "archive/warc_reader.h"
#include "mine/referrer.h"
#include "parse/parse_page.h"
#include "store/catalogue_reader.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

uint64_t pair_of(uint32_t from, uint32_t to) { return uint64_t{from} << 32 | to; }

// The pages of a WARC file, parsed.
Status for_each_archived_page(const fs::path& file, const std::function<void(const Page&)>& use) {
  const Result<ArchiveSet> archive = ArchiveSet::open(std::span(&file, 1));
  if (!archive) return archive.error();
  ParseOptions options;
  options.detect_language = options.count_terms = false;
  for (const std::string& url : archive->urls()) {
    const Result<Response> response = archive->load(*archive->find(url));
    if (response && response->status == 200) use(parse_page(*response, options));
  }
  return {};
}

}  // namespace

class SiteLinks::Reader {
 public:
  Reader(const SitePages& pages, const SiteOf& site_of) : pages_(pages), site_of_(site_of) {}

  Status add(const std::string& place) {
    if (fs::is_directory(place)) return add_crawl(place);
    return for_each_archived_page(place, [&](const Page& page) {
      const uint32_t from = node(page.url);
      if (from == StringTable::kNone) return;
      ++links_.archived_;
      for (const Link& link : page.links) add(from, link.url, link.kind == LinkKind::kFrame);
    });
  }

  SiteLinks take() {
    links_.graph_ = builder_.freeze();
    return std::move(links_);
  }

 private:
  Status add_crawl(const fs::path& folder) {
    Result<CatalogueReader> catalogue = CatalogueReader::open(folder);
    if (!catalogue) return catalogue.error();
    std::string last;
    uint32_t from = StringTable::kNone;
    return catalogue->for_each_link([&](const CatalogueReader::PageLink& link) {
      if (link.from != last) {
        last = link.from;
        const Result<Url> address = Url::parse(last);
        from = address ? node(*address) : StringTable::kNone;
        links_.archived_ += from != StringTable::kNone;
      }
      if (from == StringTable::kNone) return;
      if (const Result<Url> to = Url::parse(link.to)) add(from, *to, link.is_frame);
    });
  }

  void add(uint32_t from, const Url& url, bool frame) {
    const uint32_t to = node(url);
    if (to == StringTable::kNone) return;
    builder_.add(from, to);
    if (frame) links_.frames_.insert(pair_of(from, to));
  }

  uint32_t node(const Url& url) {
    if (!url.is_http()) return StringTable::kNone;
    const auto site = site_of_(url.hostname());
    return site ? links_.keys_.add(pages_.key(*site, url.request_target())).number
                : StringTable::kNone;
  }

  const SitePages& pages_;
  const SiteOf& site_of_;
  LinkGraphBuilder builder_;
  SiteLinks links_;
};

Result<SiteLinks> SiteLinks::read(std::span<const std::string> places, const SitePages& pages,
                                  const SiteOf& site_of) {
  Reader reader(pages, site_of);
  for (const std::string& place : places) {
    if (Status s = reader.add(place); !s) return s.error();
  }
  SiteLinks links = reader.take();
  if (links.archived_ == 0) {
    return Error{fmt::format("{} has no page of the log's site; name the site with --site HOST",
                             places.front())};
  }
  return links;
}

bool SiteLinks::has_link(std::string_view from, std::string_view to) const {
  const uint32_t a = keys_.find(from), b = keys_.find(to);
  if (a == StringTable::kNone || b == StringTable::kNone || a >= graph_.nodes()) return false;
  const auto row = graph_.out().of(a);
  return std::binary_search(row.begin(), row.end(), b);
}

bool SiteLinks::has_frame(std::string_view from, std::string_view to) const {
  if (frames_.empty()) return false;
  const uint32_t a = keys_.find(from), b = keys_.find(to);
  return a != StringTable::kNone && b != StringTable::kNone && frames_.contains(pair_of(a, b));
}

Result<std::string> most_common_host(const std::string& place) {
  std::map<std::string, size_t> counts;
  if (fs::is_directory(place)) {
    Result<CatalogueReader> catalogue = CatalogueReader::open(place);
    if (!catalogue) return catalogue.error();
    const Result<std::string> host = catalogue->largest_host();
    if (!host) return host.error();
    return host->empty() ? std::string() : site_name(*host);
  }
  Result<WarcReader> reader = WarcReader::open(place);
  if (!reader) return reader.error();
  for (int records = 0; records < 1000; ++records) {
    const auto record = reader->next();
    if (!record) break;
    if (record->type == RecordType::kResponse) ++counts[read_referrer(record->target).site];
  }
  std::string best;
  for (const auto& [host, count] : counts) {
    if (best.empty() || count > counts[best]) best = host;
  }
  return best;
}

}  // namespace dowser
