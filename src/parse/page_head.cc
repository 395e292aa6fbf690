#include "parse/page_head.h"

#include <algorithm>
#include <cstdint>

#include "text/charset.h"

namespace dowser {
namespace {

char lower_of(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
bool is_space(char c) { return static_cast<uint8_t>(c) <= ' '; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

void skip_spaces(std::string_view& text) {
  while (!text.empty() && is_space(text[0])) text.remove_prefix(1);
}

// The text in quotes, or `text` up to the first of `stops`.
std::string_view unquoted(std::string_view text, std::string_view stops) {
  if (!text.empty() && (text[0] == '"' || text[0] == '\'')) {
    const size_t close = text.find(text[0], 1);
    return text.substr(1, close == text.npos ? close : close - 1);
  }
  return text.substr(0, text.find_first_of(stops));
}

}  // namespace

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_of(x) == lower_of(y); });
}

bool has_word(std::string_view list, std::string_view word) {
  for (size_t i = 0; i < list.size();) {
    size_t end = i;
    while (end < list.size() && !is_space(list[end]) && list[end] != ',') ++end;
    if (equals_ignoring_case(list.substr(i, end - i), word)) return true;
    i = end + 1;
  }
  return false;
}

std::optional<std::string_view> refresh_target(std::string_view content) {
  skip_spaces(content);
  if (content.empty() || !(is_digit(content[0]) || content[0] == '.')) return std::nullopt;
  while (!content.empty() && (is_digit(content[0]) || content[0] == '.')) content.remove_prefix(1);
  if (content.empty() || !(is_space(content[0]) || content[0] == ';' || content[0] == ','))
    return std::nullopt;
  skip_spaces(content);
  if (!content.empty() && (content[0] == ';' || content[0] == ',')) content.remove_prefix(1);
  skip_spaces(content);
  if (equals_ignoring_case(content.substr(0, 3), "url")) {
    std::string_view rest = content.substr(3);
    skip_spaces(rest);
    if (!rest.empty() && rest[0] == '=') {
      rest.remove_prefix(1);
      skip_spaces(rest);
      content = rest;
    }
  }
  const std::string_view target = unquoted(content, "");
  if (target.empty()) return std::nullopt;
  return target;
}

std::string_view charset_of_type(std::string_view type) {
  constexpr std::string_view kWord = "charset";
  for (size_t i = 0; i + kWord.size() < type.size(); ++i) {
    if (!equals_ignoring_case(type.substr(i, kWord.size()), kWord)) continue;
    std::string_view rest = type.substr(i + kWord.size());
    skip_spaces(rest);
    if (rest.empty() || rest[0] != '=') continue;
    rest.remove_prefix(1);
    skip_spaces(rest);
    return charset_for_label(unquoted(rest, " \t\n\f\r;,"));
  }
  return "";
}

}  // namespace dowser
