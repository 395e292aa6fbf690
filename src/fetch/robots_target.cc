#include "fetch/robots_target.h"

#include <cstdint>

#include "base/percent_decode.h"

namespace dowser {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_unreserved(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

enum class Escapes { kKeep, kUndo };

// `special` are characters to escape besides those outside ASCII; kUndo: what is unreserved is not
// escaped.
std::string respell(std::string_view text, Escapes escapes, std::string_view special) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const int meant = escaped_byte(text, i);
    const int byte = meant >= 0 ? meant : static_cast<uint8_t>(text[i]);
    const auto c = static_cast<char>(byte);
    const bool escape = meant >= 0 ? escapes == Escapes::kKeep || !is_unreserved(c)
                                   : byte >= 0x80 || special.find(c) != special.npos;
    if (escape) {
      out += {'%', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      out += c;
    }
    if (meant >= 0) i += 2;
  }
  return out;
}

}  // namespace

std::string robots_target(std::string_view url) {
  url = url.substr(0, url.find('#'));
  // "://" ends a scheme unless the path began before it; an address may also begin with its host.
  size_t host = url.starts_with("//") ? 2 : 0;
  const size_t scheme = url.find("://", host);
  if (scheme < url.find_first_of("/?;", host)) host = scheme + 3;
  const size_t path = url.find_first_of("/?;", host);
  if (path == url.npos) return "/";
  std::string target(url.substr(path));
  if (target[0] != '/') target.insert(0, 1, '/');
  return target;
}

std::string normal_target(std::string_view target) { return respell(target, Escapes::kUndo, "*$"); }

std::string normal_pattern(std::string_view pattern) {
  const bool anchored = pattern.ends_with('$');
  if (anchored) pattern.remove_suffix(1);
  return respell(pattern, Escapes::kUndo, "$") + (anchored ? "$" : "");
}

std::string reference_pattern(std::string_view pattern) {
  return respell(pattern, Escapes::kKeep, "");
}

}  // namespace dowser
