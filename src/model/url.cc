#include "model/url.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "model/url_parser.h"

namespace dowser {
namespace {

// Of the names of hosts, as the parser writes them.
constexpr std::array<bool, 256> kNameCharacters = [] {
  std::array<bool, 256> is{};
  for (const char c : std::string_view("abcdefghijklmnopqrstuvwxyz0123456789-._")) {
    is[static_cast<unsigned char>(c)] = true;
  }
  return is;
}();

}  // namespace

Result<Url> Url::parse(std::string_view input, const Url* base) {
  return UrlParser(base && !base->empty() ? base : nullptr).parse(input);
}

Url::Kind Url::kind_of(std::string_view scheme) {
  if (scheme == "http") return Kind::kHttp;
  if (scheme == "https") return Kind::kHttps;
  if (scheme == "ws") return Kind::kWs;
  if (scheme == "wss") return Kind::kWss;
  if (scheme == "ftp") return Kind::kFtp;
  if (scheme == "file") return Kind::kFile;
  return Kind::kOther;
}

uint16_t Url::default_port(Kind kind) {
  switch (kind) {
    case Kind::kHttp:
    case Kind::kWs:
      return 80;
    case Kind::kHttps:
    case Kind::kWss:
      return 443;
    case Kind::kFtp:
      return 21;
    case Kind::kFile:
    case Kind::kOther:
      return 0;
  }
  return 0;
}

// Only the most common shape is taken apart here: http or https, a name as the host, no
// credentials.
Result<Url> Url::from_href(std::string_view href) {
  const size_t scheme = href.starts_with("http://") ? 4 : href.starts_with("https://") ? 5 : 0;
  if (scheme == 0) return parse(href);
  const size_t host = scheme + 3;
  const size_t path = href.find('/', host);
  if (path == href.npos) return parse(href);
  size_t host_end = host;
  while (kNameCharacters[static_cast<unsigned char>(href[host_end])]) ++host_end;
  Url url;
  if (host_end != path) {
    const char* const end = href.data() + path;
    const auto [rest, failed] = std::from_chars(href.data() + host_end + 1, end, url.port_);
    url.has_port_ = href[host_end] == ':' && rest == end && failed == std::errc();
    if (!url.has_port_) return parse(href);
  }
  if (host_end == host) return parse(href);
  url.href_ = href;
  url.kind_ = scheme == 4 ? Kind::kHttp : Kind::kHttps;
  url.has_host_ = true;
  url.scheme_end_ = static_cast<uint32_t>(scheme);
  url.username_end_ = url.host_begin_ = static_cast<uint32_t>(host);
  url.host_end_ = static_cast<uint32_t>(host_end);
  url.path_begin_ = static_cast<uint32_t>(path);
  const size_t fragment = std::min(href.find('#', path), href.size());
  url.fragment_begin_ = static_cast<uint32_t>(fragment);
  url.query_begin_ = static_cast<uint32_t>(std::min(href.find('?', path), fragment));
  return url;
}

std::string_view Url::username() const {
  return has_host_ ? part(scheme_end_ + 3, username_end_) : std::string_view();
}

std::string_view Url::password() const {
  // Between the ':' at username_end_ and the '@' before host_begin_; with a username alone they are
  // one.
  return host_begin_ > username_end_ + 1 ? part(username_end_ + 1, host_begin_ - 1)
                                         : std::string_view();
}

std::string_view Url::hostname() const { return part(host_begin_, host_end_); }

std::string_view Url::host() const {
  return has_host_ ? part(host_begin_, path_begin_) : std::string_view();
}

std::optional<uint16_t> Url::port() const {
  return has_port_ ? std::optional<uint16_t>(port_) : std::nullopt;
}

std::string_view Url::query() const {
  return has_query() ? part(query_begin_ + 1, fragment_begin_) : std::string_view();
}

std::string_view Url::fragment() const {
  return has_fragment() ? part(fragment_begin_ + 1, href_.size()) : std::string_view();
}

std::string Url::origin() const {
  switch (kind_) {
    case Kind::kFile:
      return "null";
    case Kind::kOther: {
      if (scheme() != "blob") return "null";
      const Result<Url> inner = parse(path());
      return inner && inner->is_http() ? inner->origin() : "null";
    }
    default:
      return std::string(scheme()).append("://").append(host());
  }
}

uint16_t Url::effective_port() const { return has_port_ ? port_ : default_port(kind_); }

Url Url::without_fragment() const {
  Url url = *this;
  url.href_.resize(fragment_begin_);
  return url;
}

Url Url::without_credentials() const {
  Url url = *this;
  if (!has_credentials()) return url;
  const uint32_t begin = scheme_end_ + 3;  // after "://"
  const uint32_t size = host_begin_ - begin;
  url.href_ = href_.substr(0, begin) + href_.substr(host_begin_);
  url.username_end_ = begin;
  for (uint32_t Url::*at : {&Url::host_begin_, &Url::host_end_, &Url::path_begin_,
                            &Url::query_begin_, &Url::fragment_begin_}) {
    url.*at -= size;
  }
  return url;
}

}  // namespace dowser
