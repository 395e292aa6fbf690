#include "mine/site_templates.h"

#include <map>

#include "parse/parse_page.h"

namespace dowser {
namespace {

// "www.example.org:8080" of an address; not parsed, since an archive may have millions.
std::string_view host_in(std::string_view url) {
  const size_t begin = url.find("://");
  if (begin == url.npos) return {};
  url.remove_prefix(begin + 3);
  return url.substr(0, url.find_first_of("/?#"));
}

}  // namespace

std::optional<SiteTemplates> SiteTemplates::learn(
    const ArchiveSet& archive, const std::function<bool(size_t, size_t)>& progress) {
  std::map<std::string, std::vector<const std::string*>, std::less<>> hosts;
  for (const std::string& url : archive.urls()) {
    const std::string_view host = host_in(url);
    auto it = hosts.find(host);
    if (it == hosts.end()) it = hosts.try_emplace(std::string(host)).first;
    it->second.push_back(&url);
  }
  SiteTemplates templates;
  ParseOptions options;
  options.detect_language = options.count_terms = false;
  size_t done = 0;
  for (const auto& [host, urls] : hosts) {
    if (!progress(done++, hosts.size())) return std::nullopt;
    std::vector<Page> pages;
    // What is no page is replaced by its neighbour.
    const size_t wanted = std::min(kPagesOfHost, urls.size());
    size_t next = 0;
    for (size_t i = 0; i < wanted; ++i) {
      for (next = std::max(next, i * urls.size() / wanted);
           next < (i + 1) * urls.size() / wanted;) {
        const Result<Response> response = archive.load(*archive.find(*urls[next++]));
        if (!response || response->status != 200) continue;
        Page page = parse_page(*response, options);
        if (page.blocks.empty()) continue;
        pages.push_back(std::move(page));
        break;
      }
    }
    SiteTemplate learned = SiteTemplate::learn(pages);
    if (learned.blocks() == 0) continue;
    const std::string name(pages.front().url.hostname());
    templates.hosts_.insert_or_assign(name, std::move(learned));
  }
  return templates;
}

size_t SiteTemplates::mark(Page& page) const {
  const auto it = hosts_.find(std::string(page.url.hostname()));
  return it == hosts_.end() ? 0 : it->second.mark(page);
}

}  // namespace dowser
