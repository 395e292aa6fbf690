#include "parse/page_charset.h"

#include "parse/html_tokenizer.h"
#include "parse/page_head.h"
#include "text/charset.h"

namespace dowser {
namespace {

constexpr size_t kPrescan = 1024;

// Reads <meta> only. Every character set in which <meta> is readable in the first bytes agrees with
// ASCII on these characters.
struct MetaSink {
  std::string_view charset;

  void text(std::string_view) {}
  void end_tag(const Tag&) {}
  TextState start_tag(const Tag& tag) {
    if (tag.id == TagId::kMeta && charset.empty()) {
      if (const Attribute* label = tag.find(AttrId::kCharset)) {
        charset = charset_for_label(label->value);
      } else if (const Attribute* pragma = tag.find(AttrId::kHttpEquiv);
                 pragma && equals_ignoring_case(pragma->value, "content-type")) {
        if (const Attribute* content = tag.find(AttrId::kContent))
          charset = charset_of_type(content->value);
      }
    }
    return state_after(tag.id);
  }
};

std::string_view charset_of_xml_declaration(std::string_view bytes) {
  if (!bytes.starts_with("<?xml")) return "";
  const std::string_view declaration = bytes.substr(0, bytes.find('>'));
  const size_t at = declaration.find("encoding");
  if (at == declaration.npos) return "";
  const size_t open = declaration.find_first_of("\"'", at);
  if (open == declaration.npos) return "";
  const size_t close = declaration.find(declaration[open], open + 1);
  if (close == declaration.npos) return "";
  return charset_for_label(declaration.substr(open + 1, close - open - 1));
}

}  // namespace

std::string_view charset_of_meta(std::string_view bytes) {
  MetaSink sink;
  const std::string_view start = bytes.substr(0, kPrescan);
  tokenize_html(start, sink);
  if (sink.charset.empty()) sink.charset = charset_of_xml_declaration(start);
  // Bytes in which <meta> is readable are not UTF-16, whatever they claim.
  if (sink.charset == "utf-16le" || sink.charset == "utf-16be") return "utf-8";
  if (sink.charset == "x-user-defined") return "windows-1252";
  return sink.charset;
}

std::string charset_of_page(std::string_view bytes, std::string_view content_type, bool is_html) {
  if (bytes.starts_with("\xEF\xBB\xBF")) return "utf-8";
  if (bytes.starts_with("\xFE\xFF")) return "utf-16be";
  if (bytes.starts_with("\xFF\xFE")) return "utf-16le";
  std::string_view named = charset_of_type(content_type);
  if (named.empty() && is_html) named = charset_of_meta(bytes);
  if (!named.empty()) return std::string(named);
  std::string detected = detect_charset(bytes);
  return detected.empty() ? "windows-1252" : detected;
}

}  // namespace dowser
