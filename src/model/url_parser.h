#pragma once

#include <string>
#include <string_view>

#include "model/url.h"

namespace dowser {

// The basic URL parser of the standard, for one address; Url::parse is the way in. See
// url_parser.cc.
class UrlParser {
 public:
  // `base` may be null and is only read; it must outlive the parser.
  explicit UrlParser(const Url* base) : base_(base) {}

  Result<Url> parse(std::string_view input);

 private:
  // What is wrong, in a few words; empty if nothing is.
  using Fault = std::string_view;

  // The states. Each consumes its part from the front of rest_, appends it to url_.href_ and calls
  // the next state.
  Fault scheme_start();
  Fault no_scheme();
  Fault relative();
  Fault file();
  Fault file_slash();
  Fault file_host();
  Fault authority();
  Fault path_start();
  Fault path();
  Fault path_segments();
  Fault opaque_path();
  Fault query();
  Fault fragment();

  void credentials(std::string_view userinfo);
  Fault host_and_port(std::string_view text);
  Fault port(std::string_view digits);
  void empty_authority();
  void no_authority();
  void copy_authority();
  void copy_path() { url_.href_.append(base_->path()); }
  void copy_query();
  void append_segment(std::string_view segment);
  void shorten_path();
  void end_path();

  uint32_t here() const { return static_cast<uint32_t>(url_.href_.size()); }
  bool is_special() const { return url_.kind_ != Url::Kind::kOther; }
  bool is_file() const { return url_.kind_ == Url::Kind::kFile; }
  bool is_slash(char c) const { return c == '/' || (c == '\\' && is_special()); }
  // The length of rest_ up to the next slash, '?' or '#'.
  size_t until_delimiter() const;
  bool slash_next() const { return !rest_.empty() && is_slash(rest_[0]); }

  const Url* base_;
  std::string_view rest_;
  Url url_;
};

}  // namespace dowser
