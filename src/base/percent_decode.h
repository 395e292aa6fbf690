#pragma once

#include <string>
#include <string_view>

namespace dowser {

// The value of a hexadecimal digit, or -1.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The byte that "%XX" at text[i] stands for; -1 if there is no such escape.
constexpr int escaped_byte(std::string_view text, size_t i) {
  if (text[i] != '%' || i + 2 >= text.size()) return -1;
  const int high = hex_value(text[i + 1]), low = hex_value(text[i + 2]);
  return high < 0 || low < 0 ? -1 : high << 4 | low;
}

// A % that is not followed by two hexadecimal digits stays.
std::string percent_decode(std::string_view text);

}  // namespace dowser
