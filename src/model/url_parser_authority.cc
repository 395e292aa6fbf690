// The states between the "//" and the path: credentials, host, port. See url_parser.cc.

#include <charconv>

#include "model/percent_encode.h"
#include "model/url_host.h"
#include "model/url_parser.h"
#include "model/url_text.h"

namespace dowser {

UrlParser::Fault UrlParser::authority() {
  url_.href_.append("//");
  url_.has_host_ = true;
  const size_t end = until_delimiter();
  const size_t at = rest_.substr(0, end).rfind('@');
  const bool has_credentials = at != std::string_view::npos;
  const size_t host = has_credentials ? at + 1 : 0;
  if (has_credentials && host == end) return "no host after the @";
  url_.username_end_ = here();
  if (has_credentials) credentials(rest_.substr(0, at));
  url_.host_begin_ = here();
  const Fault fault = host_and_port(rest_.substr(host, end - host));
  if (!fault.empty()) return fault;
  rest_.remove_prefix(end);
  return path_start();
}

void UrlParser::credentials(std::string_view userinfo) {
  const size_t colon = userinfo.find(':');
  const uint32_t begin = here();
  append_percent_encoded(url_.href_, userinfo.substr(0, colon), EncodeSet::kUserinfo);
  url_.username_end_ = here();
  if (colon != std::string_view::npos && colon + 1 < userinfo.size()) {
    url_.href_.push_back(':');
    append_percent_encoded(url_.href_, userinfo.substr(colon + 1), EncodeSet::kUserinfo);
  }
  if (here() > begin) url_.href_.push_back('@');
}

UrlParser::Fault UrlParser::host_and_port(std::string_view text) {
  size_t colon = 0;
  bool in_brackets = false;
  for (; colon < text.size() && (in_brackets || text[colon] != ':'); ++colon) {
    if (text[colon] == '[') in_brackets = true;
    if (text[colon] == ']') in_brackets = false;
  }
  const bool has_colon = colon < text.size();
  if (colon == 0 && (has_colon || is_special())) return "no host";
  if (const Fault fault = append_host(url_.href_, text.substr(0, colon), is_special());
      !fault.empty()) {
    return fault;
  }
  url_.host_end_ = here();
  if (has_colon) {
    if (const Fault fault = port(text.substr(colon + 1)); !fault.empty()) return fault;
  }
  url_.path_begin_ = here();
  return {};
}

UrlParser::Fault UrlParser::port(std::string_view digits) {
  uint32_t value = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return "a port that is not a number";
    value = value * 10 + static_cast<uint32_t>(c - '0');
    if (value > 0xFFFF) return "a port above 65535";
  }
  const bool is_default = is_special() && value == Url::default_port(url_.kind_);
  if (digits.empty() || is_default) return {};
  url_.has_port_ = true;
  url_.port_ = static_cast<uint16_t>(value);
  char text[8];
  text[0] = ':';
  url_.href_.append(text, std::to_chars(text + 1, text + sizeof text, value).ptr);
  return {};
}

void UrlParser::empty_authority() {
  url_.href_.append("//");
  url_.has_host_ = true;
  url_.username_end_ = url_.host_begin_ = url_.host_end_ = url_.path_begin_ = here();
}

void UrlParser::no_authority() {
  url_.username_end_ = url_.host_begin_ = url_.host_end_ = url_.path_begin_ = here();
}

void UrlParser::copy_authority() {
  if (!base_->has_host_) return no_authority();  // the base may have "/." before its path
  url_.href_.assign(base_->href_, 0, base_->path_begin_);
  url_.username_end_ = base_->username_end_;
  url_.host_begin_ = base_->host_begin_;
  url_.host_end_ = base_->host_end_;
  url_.path_begin_ = base_->path_begin_;
  url_.has_host_ = true;
  url_.has_port_ = base_->has_port_;
  url_.port_ = base_->port_;
}

void UrlParser::copy_query() {
  url_.href_.append(base_->href_, base_->query_begin_,
                    base_->fragment_begin_ - base_->query_begin_);
}

}  // namespace dowser
