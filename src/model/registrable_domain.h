#pragma once

#include <string_view>

// Which part of a host name somebody registered, by the Public Suffix List as libpsl has it built
// in. Host names are as Url::hostname() gives them: lower case, punycode.

namespace dowser {

// "news.bbc.co.uk" -> "bbc.co.uk". The host name itself where there is no such part: IP addresses,
// public suffixes, and names under a top-level domain that the list does not know. The result is
// the end of `hostname`.
std::string_view registrable_domain(std::string_view hostname);

// "co.uk" of "news.bbc.co.uk": the part under which anybody may register. The last label where the
// list does not know the top-level domain; the whole of an IP address. The result is the end of
// `hostname`.
std::string_view public_suffix(std::string_view hostname);

// Whether the list knows the top-level domain: true for "a.org", false for "index.html".
bool has_known_suffix(std::string_view hostname);

}  // namespace dowser
