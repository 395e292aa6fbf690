#pragma once

#include <string>
#include <string_view>

#include "model/percent_encode.h"

// Text functions of the URL parser.

namespace dowser {

inline bool is_alpha(char c) { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_path_end(char c) { return c == '?' || c == '#'; }

// The input without the white space around it, without tabs and line ends, as well-formed UTF-8
// (U+FFFD for what is not). `storage` holds it where it had to change.
std::string_view clean_url(std::string_view input, std::string& storage);

// The length of the scheme before the ':', or 0 if the text does not begin with one.
size_t scheme_length(std::string_view text);

// "." or "..", where each dot may be written %2e: the number of dots; 0 for anything else.
int count_dots(std::string_view segment);

// Windows drive letters, which paths of file: addresses keep: "C:" or "C|"
bool is_drive_letter(std::string_view text);
// the same at the front of a path without its first '/'
bool starts_with_drive_letter(std::string_view text);
// and "/C:" at the front of a parsed path.
bool has_normal_drive_letter(std::string_view path);

}  // namespace dowser
