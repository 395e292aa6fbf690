#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// UTF-8 functions for the inner loops of this folder.

namespace dowser {

inline constexpr char32_t kReplacement = 0xFFFD;

// The number of leading bytes of `bytes` that are ASCII.
inline size_t ascii_prefix(std::string_view bytes) {
  constexpr uint64_t kHigh = 0x8080808080808080ULL;
  size_t i = 0;
  for (; i + 32 <= bytes.size(); i += 32) {
    uint64_t w[4];
    std::memcpy(w, bytes.data() + i, 32);
    if ((w[0] | w[1] | w[2] | w[3]) & kHigh) break;
  }
  while (i < bytes.size() && static_cast<uint8_t>(bytes[i]) < 0x80) ++i;
  return i;
}

struct CodePoint {
  char32_t value;  // kReplacement if the bytes are ill-formed
  uint8_t length;  // number of bytes read, at least 1
  bool well_formed;
};

// The code point at the start of `bytes`, which must not be empty. Ill-formed bytes are read up to
// the first that cannot continue the sequence (the "maximal subpart" of the Unicode standard), as
// in browsers.
inline CodePoint decode_utf8(std::string_view bytes) {
  const auto* p = reinterpret_cast<const uint8_t*>(bytes.data());
  const uint8_t lead = p[0];
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4) return {kReplacement, 1, false};
  const uint8_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // The second byte alone identifies overlong forms, surrogates and values above U+10FFFF.
  const uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (bytes.size() < 2 || p[1] < low || p[1] > high) return {kReplacement, 1, false};
  char32_t value = (lead & (0x7F >> length)) << 6 | (p[1] & 0x3F);
  for (uint8_t i = 2; i < length; ++i) {
    if (i >= bytes.size() || (p[i] & 0xC0) != 0x80) return {kReplacement, i, false};
    value = value << 6 | (p[i] & 0x3F);
  }
  return {value, length, true};
}

// Writes `c` (a Unicode scalar value) to `out`, which has room for 4 bytes; returns the number of
// bytes written.
inline size_t encode_utf8(char32_t c, char* out) {
  if (c < 0x80) {
    out[0] = static_cast<char>(c);
    return 1;
  }
  if (c < 0x800) {
    out[0] = static_cast<char>(0xC0 | c >> 6);
    out[1] = static_cast<char>(0x80 | (c & 0x3F));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = static_cast<char>(0xE0 | c >> 12);
    out[1] = static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out[2] = static_cast<char>(0x80 | (c & 0x3F));
    return 3;
  }
  out[0] = static_cast<char>(0xF0 | c >> 18);
  out[1] = static_cast<char>(0x80 | (c >> 12 & 0x3F));
  out[2] = static_cast<char>(0x80 | (c >> 6 & 0x3F));
  out[3] = static_cast<char>(0x80 | (c & 0x3F));
  return 4;
}

inline void append_utf8(std::string& out, char32_t c) {
  char buffer[4];
  out.append(buffer, encode_utf8(c, buffer));
}

}  // namespace dowser
