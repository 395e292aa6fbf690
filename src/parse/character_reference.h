#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dowser {

// The meaning of a character reference ("&eacute;", "&#xe9;") as UTF-8.
struct CharacterReference {
  size_t consumed = 0;  // bytes of the input; 0: not a reference, the ampersand means itself
  char bytes[7] = {};
  uint8_t size = 0;

  std::string_view text() const { return {bytes, size}; }
};

// Reads the reference at the start of `input`, which begins with '&'. The longest name wins. In an
// attribute, a name without semicolon does not count before '=', a letter or a digit, so that
// "?a=1&copy=2" remains the query that was meant.
CharacterReference read_character_reference(std::string_view input, bool in_attribute);

}  // namespace dowser
