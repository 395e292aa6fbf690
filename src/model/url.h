#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace dowser {

// An address as defined by the WHATWG URL standard: parsed, resolved and serialised as in browsers,
// so that Dowser fetches what a browser would. Immutable. It consists of one string and the
// positions of its parts.
//
// An empty Url (the default) stands for "none": href() is "", and so are all parts.
class Url {
 public:
  Url() = default;

  // Parses `input`, relative to `base` if there is one. `input` is UTF-8; ill-formed bytes are read
  // as U+FFFD. An empty `base` is treated as none. The error says what is wrong in a few words.
  static Result<Url> parse(std::string_view input, const Url* base = nullptr);

  // The same, faster, for an address that href() returned, which is not checked again. Anything
  // that does not look like such an address is parsed.
  static Result<Url> from_href(std::string_view href);

  bool empty() const { return href_.empty(); }
  std::string_view href() const { return href_; }

  std::string_view scheme() const { return part(0, scheme_end_); }  // "http", without the colon
  std::string_view username() const;
  std::string_view password() const;
  std::string_view hostname() const;  // "example.org", "[::1]"; no port
  std::string_view host() const;  // "example.org:8080": with the port where it is not the default
  std::optional<uint16_t> port() const;  // where it is not the default
  std::string_view path() const { return part(path_begin_, query_begin_); }  // "/a/b", or opaque
  std::string_view query() const;                                            // without '?'
  std::string_view fragment() const;                                         // without '#'
  bool has_host() const { return has_host_; }
  bool has_query() const { return query_begin_ < fragment_begin_; }
  bool has_fragment() const { return fragment_begin_ < href_.size(); }
  bool has_opaque_path() const { return opaque_; }  // "mailto:a@b": a path that is not a list

  // http or https: what a crawler can fetch.
  bool is_http() const { return kind_ == Kind::kHttp || kind_ == Kind::kHttps; }
  std::string origin() const;  // "http://example.org", or "null"

  // Port 80 for http, 443 for https and so on where none is written; 0 if the scheme has none.
  uint16_t effective_port() const;

  // "/a/b?c": the target in the request line, which robots.txt is matched against.
  std::string_view request_target() const { return part(path_begin_, fragment_begin_); }

  // The same address up to its '#'.
  Url without_fragment() const;

  // A user name and a password are never sent and must not be kept, so links, seeds and redirects
  // are taken without them.
  bool has_credentials() const { return has_host_ && host_begin_ > scheme_end_ + 3; }
  Url without_credentials() const;

  friend bool operator==(const Url& a, const Url& b) { return a.href_ == b.href_; }
  friend auto operator<=>(const Url& a, const Url& b) { return a.href_ <=> b.href_; }

 private:
  friend class UrlParser;

  // The standard's special schemes, and all others.
  enum class Kind : uint8_t { kOther, kHttp, kHttps, kWs, kWss, kFtp, kFile };

  static Kind kind_of(std::string_view scheme);
  static uint16_t default_port(Kind kind);

  std::string_view part(size_t begin, size_t end) const {
    return {href_.data() + begin, end - begin};
  }

  // http://user:pass@example.org:8080/a/b?c=d#e
  //     ^      ^     ^          ^    ^   ^   ^
  //     |      |     host_begin |    |   |   fragment_begin (of '#', or the end)
  //     |      username_end     |    |   query_begin (of '?', or fragment_begin)
  //     scheme_end (of ':')     |    path_begin
  //                             host_end
  //
  // Without a host the three in the middle stand after the ':', and "/." may stand before a path
  // that would otherwise read as one: web+x:/.//not-a-host.
  std::string href_;
  uint32_t scheme_end_ = 0;
  uint32_t username_end_ = 0;
  uint32_t host_begin_ = 0;
  uint32_t host_end_ = 0;
  uint32_t path_begin_ = 0;
  uint32_t query_begin_ = 0;
  uint32_t fragment_begin_ = 0;
  uint16_t port_ = 0;
  Kind kind_ = Kind::kOther;
  bool has_host_ : 1 = false;
  bool has_port_ : 1 = false;
  bool opaque_ : 1 = false;
};

static_assert(sizeof(Url) <= 64, "a crawl holds millions of these");

}  // namespace dowser
