#pragma once

#include <string>
#include <string_view>

// Text from the web that is shown to a person: a terminal must not obey what a page says, and no
// page may make its reader see the characters of a line in another order than they have.

namespace dowser {

// The same text with white space as blanks. Other control characters, those that turn the
// direction of what follows (U+202A to U+202E, U+2066 to U+2069) and bytes that are not UTF-8
// become U+FFFD.
std::string printable(std::string_view text);

// JSON in which these characters are written as escapes, so that nothing is lost. `json` is valid
// JSON in UTF-8.
std::string printable_json(std::string json);

}  // namespace dowser
