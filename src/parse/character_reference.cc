#include "parse/character_reference.h"

#include <cstring>

#include "base/percent_decode.h"
#include "text/utf8.h"

namespace dowser {
namespace {

// Positions of a name (without its semicolon) and of its meaning in kNames and kTexts.
struct Entity {
  uint16_t name_at;
  uint16_t text_at;
  uint8_t name_size;
  uint8_t text_size;
  bool legacy;  // the semicolon may be missing
};

#include "parse/entities.inc"

// The meaning of the numbers 0x80 … 0x9F, which are used for windows-1252. 0: the number itself.
constexpr uint16_t kWindows1252[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alnum(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); }

// The same as name_hash() of make_entities.py.
uint32_t name_hash(std::string_view name) {
  uint32_t h = 0;
  for (const char c : name) h = h * 31 + static_cast<uint8_t>(c);
  return (h ^ (h >> 15)) % kBuckets;
}

const Entity* find_entity(std::string_view name) {
  const uint32_t bucket = name_hash(name);
  for (int i = kBucketStart[bucket]; i < kBucketStart[bucket + 1]; ++i) {
    const Entity& e = kEntities[i];
    if (e.name_size == name.size() &&
        std::memcmp(kNames + e.name_at, name.data(), name.size()) == 0)
      return &e;
  }
  return nullptr;
}

CharacterReference make(const Entity& e, size_t consumed) {
  CharacterReference reference{.consumed = consumed, .size = e.text_size};
  std::memcpy(reference.bytes, kTexts + e.text_at, e.text_size);
  return reference;
}

CharacterReference make(char32_t c, size_t consumed) {
  CharacterReference reference{.consumed = consumed};
  reference.size = static_cast<uint8_t>(encode_utf8(c, reference.bytes));
  return reference;
}

CharacterReference read_number(std::string_view input) {
  size_t i = 2;
  const bool hex = i < input.size() && (input[i] | 0x20) == 'x';
  if (hex) ++i;
  const size_t digits = i;
  char32_t c = 0;
  for (; i < input.size(); ++i) {
    const int value = hex ? hex_value(input[i]) : is_digit(input[i]) ? input[i] - '0' : -1;
    if (value < 0) break;
    if (c <= 0x10FFFF) c = c * (hex ? 16 : 10) + value;  // more digits make no difference then
  }
  if (i == digits) return {};
  if (i < input.size() && input[i] == ';') ++i;
  if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = 0xFFFD;
  if (c >= 0x80 && c <= 0x9F && kWindows1252[c - 0x80]) c = kWindows1252[c - 0x80];
  return make(c, i);
}

}  // namespace

CharacterReference read_character_reference(std::string_view input, bool in_attribute) {
  if (input.size() < 2) return {};
  if (input[1] == '#') return read_number(input);

  // All names consist of letters and digits, and only legacy names may lack the semicolon. So the
  // longest match is the whole run if a semicolon follows it, otherwise the longest legacy name
  // that it begins with.
  size_t end = 1;
  while (end < input.size() && end <= kLongestName && is_alnum(input[end])) ++end;
  if (end < input.size() && input[end] == ';') {
    if (const Entity* e = find_entity(input.substr(1, end - 1))) return make(*e, end + 1);
  }
  for (size_t size = end - 1 < kLongestLegacyName ? end - 1 : kLongestLegacyName; size >= 2;
       --size) {
    const Entity* e = find_entity(input.substr(1, size));
    if (!e || !e->legacy) continue;
    const char next = 1 + size < input.size() ? input[1 + size] : '\0';
    if (in_attribute && (next == '=' || is_alnum(next))) return {};
    return make(*e, 1 + size);
  }
  return {};
}

}  // namespace dowser
