// The basic URL parser of https://url.spec.whatwg.org.
//
// The standard describes a machine that looks at one character at a time. Here each of its states
// is a function that takes a whole part (a scheme, an authority, a path segment) off the front of
// the input; the states keep their names and their order, so that one can read the two side by
// side. What the machine keeps in fields is written straight into the serialised address: a parse
// is one pass and, usually, one allocation. A path is a list of segments in the standard and here
// a string with one '/' before each, which says the same, so "shorten the path" cuts at the last
// '/'.
//
// Cost: linear in the input and the base. Differs from the standard: there is no state override (a
// Url is immutable), queries are always encoded as UTF-8, and absurdly long addresses are refused.

#include "model/url_parser.h"

#include <array>

#include "model/url_host.h"
#include "model/url_text.h"

namespace dowser {
namespace {

// Encoding makes a byte nine at most; offsets have 32 bits.
constexpr size_t kMaxInput = size_t{1} << 27;

// For each byte, whether it ends a part: always (1), or where \ is a slash (2).
constexpr std::array<uint8_t, 256> kDelimiter = [] {
  std::array<uint8_t, 256> table{};
  table['/'] = table['?'] = table['#'] = 1;
  table['\\'] = 2;
  return table;
}();

}  // namespace

Result<Url> UrlParser::parse(std::string_view input) {
  if (input.size() + (base_ ? base_->href_.size() : 0) > kMaxInput) {
    return Error{"the address is too long"};
  }
  std::string storage;
  rest_ = clean_url(input, storage);
  url_.href_.reserve(rest_.size() + (base_ ? base_->path_begin_ + base_->path().size() : 0) + 8);
  const Fault fault = scheme_start();
  if (!fault.empty()) return Error{std::string(fault)};
  return std::move(url_);
}

size_t UrlParser::until_delimiter() const {
  const uint8_t mask = is_special() ? 3 : 1;
  size_t i = 0;
  while (i < rest_.size() && !(kDelimiter[static_cast<uint8_t>(rest_[i])] & mask)) ++i;
  return i;
}

UrlParser::Fault UrlParser::scheme_start() {
  const size_t length = scheme_length(rest_);
  if (length == 0) return no_scheme();
  append_lower(url_.href_, rest_.substr(0, length));
  url_.kind_ = Url::kind_of(url_.href_);
  url_.scheme_end_ = here();
  url_.href_.push_back(':');
  rest_.remove_prefix(length + 1);

  if (is_file()) return file();
  if (is_special()) {
    const bool same_as_base = base_ && base_->kind_ == url_.kind_;
    if (same_as_base && !rest_.starts_with("//")) return relative();
    while (slash_next()) rest_.remove_prefix(1);
    return authority();
  }
  if (rest_.starts_with("//")) {
    rest_.remove_prefix(2);
    return authority();
  }
  no_authority();
  return rest_.starts_with('/') ? path() : opaque_path();
}

UrlParser::Fault UrlParser::no_scheme() {
  if (!base_) return "a relative address without a base";
  if (base_->opaque_ && !rest_.starts_with('#'))
    return "a relative address on a base without a path";
  url_.kind_ = base_->kind_;
  url_.scheme_end_ = base_->scheme_end_;
  url_.href_.assign(base_->href_, 0, base_->scheme_end_ + 1);
  if (base_->opaque_) {
    no_authority();
    url_.opaque_ = true;
    copy_path();
    end_path();
    copy_query();
    return fragment();
  }
  return is_file() ? file() : relative();
}

UrlParser::Fault UrlParser::relative() {
  if (slash_next()) {
    const bool two = rest_.size() > 1 && is_slash(rest_[1]);
    if (!two) {
      copy_authority();
      return path();
    }
    rest_.remove_prefix(2);
    if (is_special()) {
      while (slash_next()) rest_.remove_prefix(1);
    }
    return authority();
  }
  copy_authority();
  copy_path();
  if (!rest_.empty() && !is_path_end(rest_[0])) {
    shorten_path();
    return path();
  }
  end_path();
  if (rest_.starts_with('?')) return query();
  copy_query();
  return fragment();
}

UrlParser::Fault UrlParser::file() {
  if (slash_next()) return file_slash();
  if (!base_ || base_->kind_ != Url::Kind::kFile) {
    empty_authority();
    return path();
  }
  copy_authority();
  if (!rest_.empty() && !is_path_end(rest_[0])) {
    if (!starts_with_drive_letter(rest_)) {
      copy_path();
      shorten_path();
    }
    return path();
  }
  copy_path();
  end_path();
  if (rest_.starts_with('?')) return query();
  copy_query();
  return fragment();
}

UrlParser::Fault UrlParser::file_slash() {
  if (rest_.size() > 1 && is_slash(rest_[1])) {
    rest_.remove_prefix(2);
    return file_host();
  }
  if (!base_ || base_->kind_ != Url::Kind::kFile) {
    empty_authority();
    return path();
  }
  copy_authority();
  if (!starts_with_drive_letter(rest_.substr(1)) && has_normal_drive_letter(base_->path())) {
    url_.href_.append(base_->path().substr(0, 3));
  }
  return path();
}

UrlParser::Fault UrlParser::file_host() {
  const size_t end = until_delimiter();
  const std::string_view host = rest_.substr(0, end);
  empty_authority();
  if (is_drive_letter(host)) return path();  // file://C:/ means file:///C:/
  rest_.remove_prefix(end);
  if (!host.empty()) {
    if (const Fault fault = append_host(url_.href_, host, true); !fault.empty()) return fault;
    if (std::string_view(url_.href_).substr(url_.host_begin_) == "localhost") {
      url_.href_.resize(url_.host_begin_);
    }
    url_.host_end_ = url_.path_begin_ = here();
  }
  return path_start();
}

}  // namespace dowser
