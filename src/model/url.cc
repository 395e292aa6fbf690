#include "model/url.h"

#include "model/url_parser.h"

namespace dowser {

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

}  // namespace dowser
