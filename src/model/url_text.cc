#include "model/url_text.h"

#include <unicode/utf8.h>

#include <cstdint>

namespace dowser {
namespace {

bool is_tab_or_newline(char c) { return c == '\t' || c == '\n' || c == '\r'; }
bool is_c0_or_space(char c) { return static_cast<uint8_t>(c) <= ' '; }

std::string well_formed_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 8);
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto length = static_cast<int32_t>(text.size());
  for (int32_t i = 0; i < length;) {
    UChar32 c;
    U8_NEXT_OR_FFFD(bytes, i, length, c);
    uint8_t encoded[U8_MAX_LENGTH];
    int32_t size = 0;
    U8_APPEND_UNSAFE(encoded, size, c);
    out.append(reinterpret_cast<const char*>(encoded), size);
  }
  return out;
}

}  // namespace

std::string_view clean_url(std::string_view input, std::string& storage) {
  while (!input.empty() && is_c0_or_space(input.front())) input.remove_prefix(1);
  while (!input.empty() && is_c0_or_space(input.back())) input.remove_suffix(1);
  bool stray = false;
  bool ascii = true;
  for (const char c : input) {
    stray |= is_tab_or_newline(c);
    ascii &= static_cast<uint8_t>(c) < 0x80;
  }
  if (stray) {
    storage = input;
    std::erase_if(storage, is_tab_or_newline);
    input = storage;
  }
  if (!ascii) {
    storage = well_formed_utf8(input);
    input = storage;
  }
  return input;
}

size_t scheme_length(std::string_view text) {
  if (text.empty() || !is_alpha(text[0])) return 0;
  for (size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ':') return i;
    if (!is_alpha(c) && !is_digit(c) && c != '+' && c != '-' && c != '.') return 0;
  }
  return 0;
}

int count_dots(std::string_view segment) {
  int dots = 0;
  while (!segment.empty()) {
    if (segment[0] == '.') {
      segment.remove_prefix(1);
    } else if (segment.size() >= 3 && segment.starts_with("%2") && ascii_lower(segment[2]) == 'e') {
      segment.remove_prefix(3);
    } else {
      return 0;
    }
    if (++dots > 2) return 0;
  }
  return dots;
}

bool is_drive_letter(std::string_view text) {
  return text.size() == 2 && is_alpha(text[0]) && (text[1] == ':' || text[1] == '|');
}

bool starts_with_drive_letter(std::string_view text) {
  return is_drive_letter(text.substr(0, 2)) &&
         (text.size() == 2 || text[2] == '/' || text[2] == '\\' || is_path_end(text[2]));
}

bool has_normal_drive_letter(std::string_view path) {
  return path.size() >= 3 && path[0] == '/' && is_alpha(path[1]) && path[2] == ':' &&
         (path.size() == 3 || path[3] == '/');
}

}  // namespace dowser
