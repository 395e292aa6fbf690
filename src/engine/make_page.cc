#include "engine/make_page.h"

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

Page make_page(const Response& response, const ParseOptions& options, bool lists,
               const Document* document) {
  if (response.is_redirect()) return {};
  if (document && !document->is_web_page()) {
    Page page = parse_document(document->text, document->header.title.value, response.url, options);
    page.content_type = response.content_type();
    return page;
  }
  Page page = parse_page(response, options);
  if (!response.ok()) return page;
  if (lists) may_be_sitemap(page) ? add_listed(response, page) : add_alternates(page);
  for (Link& link : page.links) link.fingerprint = seen_fingerprint(link.url);
  return page;
}

}  // namespace dowser
