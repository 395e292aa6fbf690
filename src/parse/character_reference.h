#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dowser {

// What a character reference ("&eacute;", "&#xe9;") stands for, as UTF-8.
struct CharacterReference {
  size_t consumed = 0;  // bytes of the input it took; 0: there is none, the ampersand means itself
  char bytes[7] = {};
  uint8_t size = 0;

  std::string_view text() const { return {bytes, size}; }
};

// Reads the reference at the start of `input`, which begins with '&'. The longest name wins. In an
// attribute a name without its semicolon does not count before '=' or a letter or digit, so that
// "?a=1&copy=2" stays the query it was meant to be.
CharacterReference read_character_reference(std::string_view input, bool in_attribute);

}  // namespace dowser
