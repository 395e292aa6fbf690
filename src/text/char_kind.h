#pragma once

#include <cstdint>

namespace dowser {

// The role of a code point in a word.
enum class CharKind : uint8_t {
  kSeparator,
  kLetter,
  kMark,  // continues a word but does not begin one
  kDigit,
  kUnspaced,  // of a script that is written without spaces
  kApostrophe,
  kHyphen,
  kNothing,  // ignored
};

CharKind char_kind(char32_t c);

}  // namespace dowser
