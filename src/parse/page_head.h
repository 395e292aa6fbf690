#pragma once

#include <optional>
#include <string_view>

// Parsers for the contents of attributes.

namespace dowser {

// Compares ignoring the case of ASCII letters.
bool equals_ignoring_case(std::string_view a, std::string_view b);

// Whether the list, separated by white space or commas, contains the word, which is in lower case.
bool has_word(std::string_view list, std::string_view word);

// The address in <meta http-equiv=refresh content="5; url=next.html">; nothing if the page only
// reloads itself.
std::optional<std::string_view> refresh_target(std::string_view content);

// The WHATWG name of the character set that a Content-Type in a header or <meta> names ("text/html;
// charset=utf-8"); empty if it names none, or one that is unknown.
std::string_view charset_of_type(std::string_view content_type);

}  // namespace dowser
