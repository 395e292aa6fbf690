#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace dowser {

// An address as the WHATWG URL standard has it: parsed, resolved and serialised as browsers do, so that
// what Dowser fetches is what a browser would. Immutable. One string and the places of its parts.
//
// An empty Url (the default) stands for "none": href() is "".
class Url {
 public:
  Url() = default;

  // Parses `input`, relative to `base` where there is one. `input` is UTF-8; ill-formed bytes are read as
  // U+FFFD. The error says what is wrong in a few words.
  static Result<Url> parse(std::string_view input, const Url* base = nullptr);

  bool empty() const { return href_.empty(); }
  std::string_view href() const { return href_; }

  std::string_view scheme() const;    // "http", without the colon
  std::string_view username() const;
  std::string_view password() const;
  std::string_view hostname() const;  // "example.org", "[::1]"; no port
  std::string_view host() const;      // "example.org:8080": with the port where it is not the default
  std::optional<uint16_t> port() const;
  std::string_view path() const;      // "/a/b"; opaque paths as they are
  std::string_view query() const;     // without '?'
  std::string_view fragment() const;  // without '#'
  bool has_host() const;
  bool has_query() const;
  bool has_fragment() const;
  bool has_opaque_path() const;

  bool is_http() const;      // http or https: what a crawler can fetch
  std::string origin() const;  // "http://example.org", or "null"

  // Port 80 for http, 443 for https and so on where none is written.
  uint16_t effective_port() const;

  // "/a/b?c": what stands in the request line, and what robots.txt is matched against.
  std::string_view request_target() const;

  friend bool operator==(const Url& a, const Url& b) { return a.href_ == b.href_; }
  friend auto operator<=>(const Url& a, const Url& b) { return a.href_ <=> b.href_; }

 private:
  friend class UrlParser;
  std::string href_;
  // Offsets into href_; see url.cc.
};

}  // namespace dowser
