#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Hosts as defined by the URL standard: a domain (lower case, punycode), an IPv4 or IPv6 address,
// or, for schemes that are not special, an opaque string.

namespace dowser {

class Url;

// The name of the host as it is used for DNS and for politeness: without the port, and
// "example.org." becomes "example.org".
std::string_view name_without_dot(const Url& url);

// Parses `text` and appends its serialised form to `out`: "ExAmple.ORG" -> "example.org", "0x7f.1"
// -> "127.0.0.1", "[0:0::1]" -> "[::1]". `text` is well-formed UTF-8. Returns what is wrong in a
// few words, or
// "" if nothing is; then `out` is complete.
[[nodiscard]] std::string_view append_host(std::string& out, std::string_view text, bool special);

// Whether the last label of a domain is a number: such a host is an IPv4 address or nothing.
bool ends_in_number(std::string_view domain);

// In all the spellings of inet_aton: decimal, octal, hexadecimal, fewer than four parts.
std::optional<uint32_t> parse_ipv4(std::string_view text);
void append_ipv4(std::string& out, uint32_t address);

// `text` is the part between the brackets. Returns false, with `out` unchanged, if it is not an
// address.
bool append_ipv6(std::string& out, std::string_view text);

}  // namespace dowser
