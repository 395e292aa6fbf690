#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Cuts untrusted text to a length.

namespace dowser {

// The first `most` bytes of a UTF-8 text, or a few fewer, so that no character is split.
inline std::string_view cut_text(std::string_view utf8, size_t most) {
  if (utf8.size() <= most) return utf8;
  size_t end = most;
  while (end > 0 && (utf8[end] & 0xC0) == 0x80) --end;
  return utf8.substr(0, end);
}

// The same for display: "…" marks that something is missing.
inline std::string shortened(std::string_view utf8, size_t most) {
  if (utf8.size() <= most) return std::string(utf8);
  return std::string(cut_text(utf8, most)) + "…";
}

}  // namespace dowser
