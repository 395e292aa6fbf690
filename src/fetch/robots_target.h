#pragma once

#include <string>
#include <string_view>

// The spelling of what robots.txt is about: targets, which are path and query of an address, and
// the patterns that they are compared with, byte by byte.

namespace dowser {

// The target of an address exactly as it is written, at least "/". Unlike Url it changes no
// character: so the verdicts on an address are those of other matchers.
std::string robots_target(std::string_view url);

// The spellings of RFC 9309, 2.2.2 and 2.2.3. Bytes outside ASCII are escaped, escapes are in
// capitals, and those of unreserved characters (RFC 3986, 2.3) are undone: "/%7ejo%c3" and
// "/~jo\xC3" are "/~jo%C3". A '*' or '$' that stands for itself is escaped; in a pattern that is a
// '$' which is not at the end.
std::string normal_target(std::string_view target);
std::string normal_pattern(std::string_view pattern);

// What Google's matcher does to patterns, to targets it does nothing: bytes outside ASCII are
// escaped and escapes are in capitals.
std::string reference_pattern(std::string_view pattern);

}  // namespace dowser
