#pragma once

#include <optional>
#include <string_view>

// The small languages inside of attributes.

namespace dowser {

// ASCII letters of either case are the same.
bool equals_ignoring_case(std::string_view a, std::string_view b);

// Does the list, separated by white space or commas, hold the word? `word` is in lower case.
bool has_word(std::string_view list, std::string_view word);

// The address in <meta http-equiv=refresh content="5; url=next.html">; nothing where the page only
// loads itself again.
std::optional<std::string_view> refresh_target(std::string_view content);

// The character set that a Content-Type names ("text/html; charset=utf-8"), in a header or a
// <meta>, by its WHATWG name; "" where it names none we know.
std::string_view charset_of_type(std::string_view content_type);

}  // namespace dowser
