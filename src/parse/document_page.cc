#include <algorithm>
#include <string>

#include "base/shorten.h"
#include "parse/parse_page.h"
#include "parse/text_buffer.h"
#include "text/language.h"
#include "text/terms.h"

namespace dowser {
namespace {

constexpr size_t kLanguageSample = 64 << 10;

bool is_lower(char c) { return (c >= 'a' && c <= 'z') || (c & 0x80) != 0; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r\v";
  const size_t begin = line.find_first_not_of(kBlank);
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlank) + 1 - begin);
}

// Adds a line to the paragraph that ends in `text`.
void add_line(std::string_view line, std::string& paragraph) {
  const size_t size = paragraph.size();
  const bool is_divided = size >= 2 && paragraph[size - 1] == '-' &&
                          is_letter(paragraph[size - 2]) && is_lower(line.front());
  if (is_divided) {
    paragraph.pop_back();
  } else if (size > 0) {
    paragraph += ' ';
  }
  paragraph += line;
}

}  // namespace

Page parse_document(std::string_view utf8, std::string_view title, const Url& url,
                    const ParseOptions& options) {
  Page page{.url = url, .base = url, .tag_paths = {""}};
  page.charset = "utf-8";
  page.title = cut_text(title, options.max_title);
  TextBuffer text(std::min(utf8.size(), options.max_text), options.max_text);
  std::string paragraph;
  const auto end_paragraph = [&] {
    const uint32_t begin = text.size();
    text.append(paragraph);
    text.trim();
    if (text.size() != begin) {
      page.blocks.push_back({.kind = BlockKind::kParagraph, .text = {begin, text.size()}});
      text.end_line();
    }
    paragraph.clear();
  };
  for (size_t at = 0; at < utf8.size();) {
    const size_t stop = std::min(utf8.find_first_of("\n\f", at), utf8.size());
    const std::string_view line = trimmed(utf8.substr(at, stop - at));
    if (line.empty()) {
      end_paragraph();
    } else {
      add_line(line, paragraph);
    }
    if (stop < utf8.size() && utf8[stop] == '\f') end_paragraph();
    at = stop + 1;
  }
  end_paragraph();
  page.text = text.view();
  if (page.text.ends_with('\n')) page.text.pop_back();
  if (options.detect_language) {
    page.language = detect_language(std::string_view(page.text).substr(0, kLanguageSample), "");
  }
  if (options.count_terms) {
    page.placed_terms = placed_terms(page.text, page.language, {});
    page.terms = count_terms(page.placed_terms, term_ids(page.title, page.language));
  }
  return page;
}

}  // namespace dowser
