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
  const std::vector<std::string>& urls = archive.urls();
  std::map<std::string_view, size_t> numbers;
  std::vector<std::vector<size_t>> hosts;
  for (size_t i = 0; i < urls.size(); ++i) {
    const auto [it, is_new] = numbers.try_emplace(host_in(urls[i]), hosts.size());
    if (is_new) hosts.emplace_back();
    hosts[it->second].push_back(i);
  }
  ParseOptions options;
  options.detect_language = options.count_terms = false;
  const auto page_at = [&](size_t number) -> std::optional<Page> {
    const Result<Response> response = archive.load(*archive.find(urls[number]));
    if (!response || response->status != 200) return std::nullopt;
    return parse_page(*response, options);
  };
  return learn(hosts, page_at, progress);
}

std::optional<SiteTemplates> SiteTemplates::learn(
    const std::vector<std::vector<size_t>>& hosts,
    const std::function<std::optional<Page>(size_t)>& page_at,
    const std::function<bool(size_t, size_t)>& progress) {
  SiteTemplates templates;
  size_t done = 0;
  for (const std::vector<size_t>& numbers : hosts) {
    if (!progress(done++, hosts.size())) return std::nullopt;
    std::vector<Page> pages;
    // What is not a page is replaced by its neighbour.
    const size_t wanted = std::min(kPagesOfHost, numbers.size());
    size_t next = 0;
    for (size_t i = 0; i < wanted; ++i) {
      for (next = std::max(next, i * numbers.size() / wanted);
           next < (i + 1) * numbers.size() / wanted;) {
        std::optional<Page> page = page_at(numbers[next++]);
        if (!page || page->blocks.empty()) continue;
        pages.push_back(std::move(*page));
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
