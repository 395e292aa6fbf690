#include "text/printable.h"

#include <fmt/format.h>

#include "text/utf8.h"

namespace dowser {
namespace {

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

bool turns_direction(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint code = decode_utf8(text);
    if (code.value == '\t' || code.value == '\n' || code.value == '\r') {
      out += ' ';
    } else if (!code.well_formed || is_control(code.value) || turns_direction(code.value)) {
      out += "\xEF\xBF\xBD";
    } else {
      out += text.substr(0, code.length);
    }
    text.remove_prefix(code.length);
  }
  return out;
}

std::string printable_json(std::string json) {
  const auto is_affected = [](char32_t c) {
    return (c >= 0x7F && is_control(c)) || turns_direction(c);
  };
  std::string out;
  size_t kept = 0;  // of `json`, what is in `out` already
  for (size_t at = 0; at < json.size();) {
    const CodePoint code = decode_utf8(std::string_view(json).substr(at));
    if (is_affected(code.value)) {
      out.append(json, kept, at - kept);
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<uint32_t>(code.value));
      kept = at + code.length;
    }
    at += code.length;
  }
  if (kept == 0) return json;
  return out.append(json, kept, json.size() - kept);
}

}  // namespace dowser
