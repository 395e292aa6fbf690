#include "parse/parse_page.h"

#include <algorithm>
#include <string>

#include "base/compress.h"
#include "parse/page_builder.h"
#include "parse/page_charset.h"
#include "parse/weighed_terms.h"
#include "text/charset.h"
#include "text/language.h"
#include "text/terms.h"

namespace dowser {
namespace {

constexpr size_t kLanguageSample = 64 << 10;
constexpr size_t kMaxLanguage = 35;  // RFC 5646 §4.4.1

bool is_html(std::string_view type) {
  return type == "text/html" || type == "application/xhtml+xml";
}

// For answers without a Content-Type.
std::string guessed_type(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 1024);
  const size_t first = start.find_first_not_of(" \t\r\n\f\xEF\xBB\xBF");
  if (first != start.npos && start[first] == '<') return "text/html";
  return start.find('\0') == start.npos ? "text/plain" : "application/octet-stream";
}

// `content_language`: what the server says, which counts where the page itself says nothing.
void add_words(Page& page, const ParseOptions& options, std::string_view content_language) {
  // The sample may end inside a character, which the detector tolerates.
  if (options.detect_language) {
    page.language =
        detect_language(std::string_view(page.text).substr(0, kLanguageSample),
                        page.declared_language.empty() ? content_language : page.declared_language);
  }
  if (!options.count_terms) return;
  std::vector<uint32_t> cuts;
  for (const Link& link : page.links) cuts.insert(cuts.end(), {link.anchor.begin, link.anchor.end});
  // They are almost sorted: an anchor that is a title or inside another link may be elsewhere.
  std::sort(cuts.begin(), cuts.end());
  page.placed_terms = placed_terms(page.text, page.language, cuts);
  if (options.mark_blocks) options.mark_blocks(page);
  page.terms = weighed_terms(page, options.fields);
}

Page parse_markup(std::string_view utf8, const Url& url, const ParseOptions& options,
                  PageBuilder::Syntax syntax, std::string_view content_language = {}) {
  std::string buffer;
  const std::string_view input = normalize_newlines(utf8, buffer);
  PageBuilder builder(input, options, syntax);
  tokenize_html(input, builder);
  Page page = builder.finish(url);
  page.content_type = "text/html";
  page.charset = "utf-8";
  add_words(page, options, content_language);
  return page;
}

// A line of the input is a line of the text, with white space collapsed.
Page parse_plain(std::string_view utf8, const Url& url, const ParseOptions& options,
                 std::string_view content_language) {
  Page page{.url = url, .base = url, .tag_paths = {""}};
  page.declared_language = content_language;
  TextBuffer text(std::min(utf8.size(), options.max_text), options.max_text);
  for (size_t at = 0; at < utf8.size();) {
    const size_t stop = std::min(utf8.find_first_of("\r\n", at), utf8.size());
    const uint32_t begin = text.size();
    text.append(utf8.substr(at, stop - at));
    text.trim();
    if (text.size() != begin) {
      page.blocks.push_back({.text = {begin, text.size()}});
      text.end_line();
    }
    at = stop + 1;
  }
  page.text = text.view();
  if (page.text.ends_with('\n')) page.text.pop_back();
  add_words(page, options, content_language);
  return page;
}

}  // namespace

Page parse_html(std::string_view utf8, const Url& url, const ParseOptions& options) {
  return parse_markup(utf8, url, options, PageBuilder::Syntax::kHtml);
}

Page parse_page(const Response& response, const ParseOptions& options) {
  std::string type = response.content_type();
  Page empty{.url = response.url, .base = response.url, .content_type = type};
  if (response.body.empty() || (!type.empty() && type != "text/plain" && !is_html(type)))
    return empty;

  const std::string_view encoding = response.headers.get("Content-Encoding").value_or("");
  std::string decoded;
  std::string_view bytes = std::string_view(response.body).substr(0, options.max_body);
  if (!encoding.empty()) {
    Result<Decoded> unpacked = decode_content(encoding, response.body, options.max_body);
    // Archives and proxies sometimes decode a body and keep the header: then it is read as it is.
    if (unpacked.ok()) {
      decoded = std::move(unpacked->bytes);
      bytes = decoded;
    }
  }
  if (type.empty()) type = guessed_type(bytes);

  std::string charset =
      charset_of_page(bytes, response.headers.get("Content-Type").value_or(""), is_html(type));
  const std::string utf8 = to_utf8(bytes, charset);
  // Several languages, "de, en", say that the page is for people of both, not what it is in.
  std::string_view language = response.headers.get("Content-Language").value_or("");
  if (language.find(',') != language.npos) language = {};
  Page page = empty;
  if (is_html(type)) {
    page = parse_markup(
        utf8, response.url, options,
        type == "text/html" ? PageBuilder::Syntax::kHtml : PageBuilder::Syntax::kXhtml, language);
  } else if (type == "text/plain") {
    page = parse_plain(utf8, response.url, options, language);
  }
  page.content_type = std::move(type);
  page.charset = std::move(charset);
  return page;
}

}  // namespace dowser
