#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/percent_decode.h"

// Percent-encoding as defined by the URL standard: which characters are written as %XX depends on
// the part of the address in which they occur.

namespace dowser {

enum class EncodeSet : uint8_t {
  kC0Control = 1 << 0,  // opaque paths and opaque hosts
  kFragment = 1 << 1,
  kQuery = 1 << 2,
  kSpecialQuery = 1 << 3,  // queries of special schemes such as http: ' as well
  kPath = 1 << 4,
  kUserinfo = 1 << 5,
};

// Appends `text` to `out`; bytes above 0x7F are encoded in every set.
void append_percent_encoded(std::string& out, std::string_view text, EncodeSet set);

// Decodes escapes of characters that never need encoding (letters, digits, - . _ ~) and writes the
// digits of the other escapes in upper case: "%7euser%2f" -> "~user%2F". Idempotent.
void append_percent_normalised(std::string& out, std::string_view text);

constexpr char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

inline void append_lower(std::string& out, std::string_view text) {
  const size_t begin = out.size();
  out.append(text);
  for (size_t i = begin; i < out.size(); ++i) out[i] = ascii_lower(out[i]);
}

}  // namespace dowser
