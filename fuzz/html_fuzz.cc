// Any bytes as the body of a page, in any character set, and as markup: never a crash, always valid
// UTF-8, and every place that a page names lies inside of it.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "parse/parse_page.h"
#include "text/charset.h"

namespace {

using namespace dowser;

void require(bool promise) {
  if (!promise) std::abort();
}

void check(const Page& page, const ParseOptions& options) {
  const std::string_view text = page.text;
  require(is_valid_utf8(text));
  require(is_valid_utf8(page.title) && is_valid_utf8(page.description));
  require(text.size() <= options.max_text + page.blocks.size());
  require(page.links.size() <= options.max_links);
  const auto inside = [text](Span span) {
    require(span.begin <= span.end && span.end <= text.size());
    require(is_valid_utf8(text.substr(span.begin, span.size())));
  };
  uint32_t last_end = 0;
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    const Block& block = page.blocks[i];
    inside(block.text);
    require(block.text.size() > 0 && block.text.begin == last_end + (i > 0 ? 1 : 0));
    require(page.words(block.text).find('\n') == std::string_view::npos);
    require(block.list < static_cast<int>(page.lists.size()));
    require(block.tag_path < page.tag_paths.size());
    last_end = block.text.end;
  }
  require(last_end == text.size());
  for (const List& list : page.lists) {
    require(list.parent < static_cast<int>(page.lists.size()));
    require(list.heading < static_cast<int>(page.blocks.size()));
  }
  for (const Span span : page.emphasised) inside(span);
  for (size_t i = 0; i < page.links.size(); ++i) {
    inside(page.links[i].anchor);
    require(page.links[i].url.is_http() && page.links[i].position == i);
    require(page.links[i].tag_path < page.tag_paths.size());
    page.context(page.links[i]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const char* const kTypes[] = {"text/html", "application/xhtml+xml", "text/plain", "",
                                       "text/html; charset=shift_jis"};
  if (size == 0) return 0;
  const uint8_t choice = data[0];
  const ParseOptions options{.max_text = choice & 0x80 ? 50u : 1u << 20,
                             .max_links = choice & 0x40 ? 3u : 1000u,
                             .detect_language = false};
  dowser::Response response;
  response.status = 200;
  response.url = *Url::parse("http://example.org/a/b?c");
  const char* type = kTypes[choice % 5];
  if (*type) response.headers.add("Content-Type", type);
  response.body.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
  check(parse_page(response, options), options);
  return 0;
}
