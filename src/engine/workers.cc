#include "engine/workers.h"

#include "base/compress.h"
#include "model/url_canonical.h"
#include "seed/sitemap.h"

namespace dowser {
namespace {

// Cheap, since it is asked of every page: XML by its name, or what a sitemap is packed as.
bool may_be_sitemap(const Page& page) {
  const std::string_view type = page.content_type;
  return type.ends_with("xml") || type.ends_with("gzip") ||
         (type == "application/octet-stream" && page.url.path().ends_with(".gz"));
}

void add_link(Page& page, const Url& url) {
  Link& link = page.links.emplace_back();
  link.url = url;
  link.position = static_cast<uint32_t>(page.links.size() - 1);
  link.tag_path = static_cast<uint16_t>(page.tag_paths.size() - 1);
}

// Feeds and translations stand in the head of a page, as links without words.
void add_alternates(Page& page) {
  if (page.alternates.empty() || page.tag_paths.size() > UINT16_MAX) return;
  page.tag_paths.emplace_back("head>link");
  for (const Url& url : page.alternates) add_link(page, url);
}

// The addresses that a sitemap or feed lists become links without words.
void add_listed(const Response& response, Page& page) {
  const Result<Decoded> body =
      decode_content(response.headers.get("Content-Encoding").value_or("identity"), response.body,
                     SitemapLimits().bytes);
  const Result<Sitemap> sitemap = parse_sitemap(body ? body->bytes : response.body, response.url);
  if (!sitemap) return;
  page.links.clear();
  page.tag_paths = {std::string(name_of(sitemap->kind))};
  for (const auto* entries : {&sitemap->sitemaps, &sitemap->pages}) {
    for (const Sitemap::Entry& entry : *entries) {
      if (page.links.size() >= SitemapLimits().entries) return;
      add_link(page, entry.url);
    }
  }
}

}  // namespace

Page page_of(const Response& response, const WorkOptions& options) {
  if (response.is_redirect()) return {};
  Page page = parse_page(response, options.parse);
  if (response.ok() && options.sitemaps) {
    may_be_sitemap(page) ? add_listed(response, page) : add_alternates(page);
  }
  return page;
}

Finished finish(uint64_t id, bool is_page, Response response, const Judge& judge,
                const WorkOptions& options) {
  Finished finished;
  finished.id = id;
  finished.response = std::move(response);
  if (is_page && options.archive && finished.response.failure == Failure::kNone) {
    finished.archive = archive_form(finished.response, "");
  }
  if (!is_page || finished.response.is_redirect()) return finished;
  finished.page = page_of(finished.response, options);
  if (!finished.response.ok()) return finished;
  for (Link& link : finished.page.links) link.fingerprint = seen_fingerprint(link.url);
  finished.judgement = judge.judge(finished.page);
  if (options.sketches) finished.sketch = sketch_of(finished.page.text);
  return finished;
}

void InlineWorkers::start(const Work& work) {
  Response response = web_.get(work.url);
  response.url = work.url;
  response.fetched_at = clock_.now();
  finished_.push_back(finish(work.id, work.is_page, std::move(response), judge_, options_));
}

std::optional<Finished> InlineWorkers::next(std::optional<Time> until) {
  if (finished_.empty()) {
    if (until) clock_.wait_until(*until);
    return std::nullopt;
  }
  Finished first = std::move(finished_.front());
  finished_.pop_front();
  return first;
}

}  // namespace dowser
