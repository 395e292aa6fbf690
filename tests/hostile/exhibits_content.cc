#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tests/hostile/exhibits.h"

// Hosts whose pages are not what they say, or more than one asks for.

namespace dowser {
namespace {

using namespace std::string_view_literals;

struct Labelled {
  std::string content_type, body;
};

// Pages by path, each with the type it claims; the home page links to all of them.
Handler labelled_site(std::map<std::string, Labelled> pages) {
  return [pages = std::move(pages)](Exchange& e) {
    const auto found = pages.find(e.request().target);
    if (found == pages.end()) {
      std::vector<std::string> paths;
      for (const auto& [path, page] : pages) paths.push_back(path);
      return e.request().target == "/" ? e.page("Labels", paths) : e.not_found();
    }
    const auto& [type, body] = found->second;
    Exchange::Fields fields;
    if (!type.empty()) fields = {{"Content-Type", type}};
    e.answer(200, fields, body);
  };
}

std::string page_with(std::string_view words, std::string_view meta = "") {
  return fmt::format("<!DOCTYPE html><html><head>{}<title>Labels</title></head><body><p>{}</p>",
                     meta, words);
}

std::string utf16(std::string_view ascii) {
  std::string out("\xFF\xFE");
  for (const char c : ascii) out.append({c, '\0'});
  return out;
}

Handler wrong_types() {
  const std::string html = page_with("HTML, whatever the label says.");
  const std::string png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU"sv);
  return labelled_site({{"/html-as-plain", {"text/plain", html}},
                        {"/html-as-bytes", {"application/octet-stream", html}},
                        {"/html-as-image", {"image/png", html}},
                        {"/html-unlabelled", {"", html}},
                        {"/image-as-html", {"text/html", png}},
                        {"/pdf-as-html", {"text/html", "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj\n"}},
                        {"/odd-label", {"text/html/very; charset", html}}});
}

Handler wrong_charsets() {
  const std::string utf8 = "Die Straße führt über die Brücke zum Gemüsemarkt.";
  const std::string latin1 =
      "Die Stra\xDF"
      "e f\xFChrt \xFC"
      "ber die Br\xFC"
      "cke.";
  return labelled_site(
      {{"/latin1-as-utf8", {"text/html; charset=utf-8", page_with(latin1)}},
       {"/utf8-as-latin1", {"text/html; charset=iso-8859-1", page_with(utf8)}},
       {"/utf16-unlabelled", {"text/html", utf16(page_with("Two bytes a letter."))}},
       {"/unknown", {"text/html; charset=klingon", page_with(utf8)}},
       {"/meta-lies", {"text/html", page_with(utf8, "<meta charset=utf-16>")}},
       {"/broken-utf8",
        {"text/html; charset=utf-8", page_with("\xC3\x28 \xF8\x88 \xED\xA0\x80 \xFE")}}});
}

// Links that people and enemies write, and the targets that the good ones of them mean.
const std::vector<std::string> kOddHrefs = {
    " /with space ",
    "/new\nline",
    "/back\\slash",
    "/up/../../down",
    "?query=only",
    "/umlaut-ü",
    "/fragment#part",
    "/inject%0d%0aX-Injected:%20yes",
    "/raw&#13;&#10;X-Injected:&#32;yes",
    "http://odd-links.test%0d%0aX-Injected:yes/",
    "http://odd-links.test:80:80/",
    "http://[::bad/",
    "http://.../",
    "data:text/html,<p>hello</p>",
    "mailto:somebody@odd-links.test",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "ftp://odd-links.test/",
    "tel:+4912345",
    "",
};
const std::vector<std::string> kOddTargets = {
    "/",     "/with%20space", "/newline",       "/back/slash",
    "/down", "/?query=only",  "/umlaut-%C3%BC", "/fragment"};
// May be fetched or refused.
const std::vector<std::string> kDoubtfulTargets = {"/inject%0d%0aX-Injected:%20yes", "/password"};

void odd_links(Exchange& e) {
  const std::string& target = e.request().target;
  const auto is_in = [&](const auto& targets) {
    return std::ranges::find(targets, target) != targets.end();
  };
  if (target != "/") {
    return is_in(kOddTargets) || is_in(kDoubtfulTargets) ? e.page("Where a link led", {})
                                                         : e.not_found();
  }
  std::vector<std::string> hrefs = kOddHrefs;
  hrefs.push_back("/" + std::string(100'000, 'x'));
  hrefs.push_back(e.url(e.request().host, "/password").insert(7, "user:password@"));
  e.page("Odd links", hrefs);
}

// All of them are forbidden by robots.txt: the page costs memory, not requests.
void many_links(Exchange& e) {
  if (e.request().target != "/") return e.not_found();
  std::vector<std::string> hrefs;
  for (int i = 0; i < 100'000; ++i) hrefs.push_back(fmt::format("/n/{}", i));
  e.page("A hundred thousand links", hrefs);
}

void deep_page(Exchange& e) {
  std::string page = "<!DOCTYPE html><title>Deep</title>";
  for (int i = 0; i < 200'000; ++i) page += i % 2 == 0 ? "<div>" : "<b>";
  e.html(page + "the bottom");
}

}  // namespace

std::vector<Exhibit> content_exhibits() {
  return {
      {"types.test",
       "HTML, images and PDF with each other's labels",
       "HTML is known by its content, where the label is not of another kind",
       wrong_types(),
       "/",
       {"/"}},
      {"charsets.test",
       "pages in another character set than they say",
       "all fetched; no text is lost, no crash",
       wrong_charsets(),
       "/",
       {"/", "/latin1-as-utf8", "/utf8-as-latin1", "/unknown", "/meta-lies", "/broken-utf8"}},
      {"odd-links.test",
       "links with spaces, line ends, %0d%0a, passwords, 100,000 letters, and not of http",
       "those that mean a page are followed; no injected header field, no Authorization", odd_links,
       "/", kOddTargets},
      {"many-links.test",
       "a page with 100,000 links, which robots.txt forbids",
       "fetched; none of the links is asked for",
       many_links,
       "/",
       {"/"},
       {"/n/"},
       [](Exchange& e) {
         e.answer(200, {{"Content-Type", "text/plain"}}, "User-agent: *\nDisallow: /n/\n");
       }},
      {"deep.test",
       "200,000 tags one inside the other",
       "fetched; no crash",
       deep_page,
       "/",
       {"/"}},
      {"empty.test",
       "a page without a byte",
       "fetched",
       [](Exchange& e) { e.html(""); },
       "/",
       {"/"}},
  };
}

}  // namespace dowser
