#pragma once

#include <string>
#include <string_view>

// Decodes bytes to UTF-8. Character sets have the lower-case names of the WHATWG Encoding standard.

namespace dowser {

// The character set of a label in a header or <meta>: "utf-8", "windows-1252", "shift_jis" … Labels
// are matched as browsers do: ignoring case and surrounding white space; "latin1" and "ascii" are
// windows-1252, "utf-16" is utf-16le. Empty for unknown labels and for those that the standard does
// not decode ("iso-2022-kr", "hz-gb-2312" …).
std::string_view charset_for_label(std::string_view label);

// The character set of unlabelled bytes. A byte order mark, ASCII and valid UTF-8 (both "utf-8")
// are certain; everything else is a guess from the first 64 kB. Empty if there is none.
std::string detect_charset(std::string_view bytes);

// Always returns valid UTF-8: what cannot be decoded becomes U+FFFD. `charset` is a name or label;
// an unknown one is read as windows-1252, which never fails. A byte order mark is removed and, as
// in browsers, takes precedence over `charset`.
std::string to_utf8(std::string_view bytes, std::string_view charset);

// Well-formed by the Unicode standard: no overlong forms, no surrogates, nothing over U+10FFFF.
bool is_valid_utf8(std::string_view bytes);

}  // namespace dowser
