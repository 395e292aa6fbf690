#include "model/percent_encode.h"

#include <array>

namespace dowser {
namespace {

constexpr uint8_t bit(EncodeSet set) { return static_cast<uint8_t>(set); }

// For each byte, the sets that encode it.
constexpr std::array<uint8_t, 256> make_table() {
  std::array<uint8_t, 256> table{};
  for (int c = 0; c < 256; ++c) {
    if (c < 0x20 || c > 0x7E) table[c] = 0xFF;
  }
  const auto add = [&](std::string_view characters, uint8_t sets) {
    for (const char c : characters) table[static_cast<uint8_t>(c)] |= sets;
  };
  // The sets of the standard are nested: userinfo > path > query, and special query > query.
  constexpr uint8_t userinfo = bit(EncodeSet::kUserinfo);
  constexpr uint8_t path = bit(EncodeSet::kPath) | userinfo;
  constexpr uint8_t query = bit(EncodeSet::kQuery) | bit(EncodeSet::kSpecialQuery) | path;
  add(" \"<>", query | bit(EncodeSet::kFragment));
  add("`", path | bit(EncodeSet::kFragment));
  add("#", query);
  add("'", bit(EncodeSet::kSpecialQuery));
  add("?^{}", path);
  add("/:;=@[\\]|", userinfo);
  return table;
}

constexpr std::array<uint8_t, 256> kSets = make_table();

constexpr char kUpperHex[] = "0123456789ABCDEF";

void append_escape(std::string& out, uint8_t byte) {
  const char escape[] = {'%', kUpperHex[byte >> 4], kUpperHex[byte & 15]};
  out.append(escape, 3);
}

bool is_unreserved(int c) {
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

// Whether `out` ends in the beginning of an escape. Decoding a digit after it would make a new
// escape out of a literal % ("%2%65" is not "%2e").
bool ends_in_partial_escape(const std::string& out) {
  const size_t n = out.size();
  return (n >= 1 && out[n - 1] == '%') ||
         (n >= 2 && out[n - 2] == '%' && hex_value(out[n - 1]) >= 0);
}

}  // namespace

void append_percent_encoded(std::string& out, std::string_view text, EncodeSet set) {
  const uint8_t mask = bit(set);
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    if (!(kSets[byte] & mask)) continue;
    out.append(text, begin, i - begin);
    append_escape(out, byte);
    begin = i + 1;
  }
  out.append(text, begin);
}

void append_percent_normalised(std::string& out, std::string_view text) {
  size_t i = 0;
  while (true) {
    const size_t percent = text.find('%', i);
    out.append(text, i, percent - i);
    if (percent == std::string_view::npos) return;
    i = percent;
    const int byte = escaped_byte(text, i);
    if (byte < 0) {
      out.push_back('%');
      ++i;
      continue;
    }
    const char c = static_cast<char>(byte);
    if (is_unreserved(byte) && !(hex_value(c) >= 0 && ends_in_partial_escape(out))) {
      out.push_back(c);
    } else {
      append_escape(out, static_cast<uint8_t>(byte));
    }
    i += 3;
  }
}

}  // namespace dowser
