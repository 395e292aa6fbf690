#pragma once

#include <cstdint>

namespace dowser {

// What a code point is to a word.
enum class CharKind : uint8_t {
  kSeparator,
  kLetter,
  kMark,  // goes on with a word, begins none
  kDigit,
  kUnspaced,  // of a script that writes no blanks
  kApostrophe,
  kHyphen,
  kNothing,  // to be read as if it were not there
};

CharKind char_kind(char32_t c);

}  // namespace dowser
