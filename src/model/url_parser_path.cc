// The states from the path to the end: path, query, fragment. See url_parser.cc.

#include <algorithm>

#include "model/percent_encode.h"
#include "model/url_parser.h"
#include "model/url_text.h"

namespace dowser {

UrlParser::Fault UrlParser::path_start() {
  if (!is_special() && (rest_.empty() || is_path_end(rest_[0]))) {
    end_path();
    return query();
  }
  return path();
}

UrlParser::Fault UrlParser::path() {
  if (slash_next()) rest_.remove_prefix(1);
  return path_segments();
}

UrlParser::Fault UrlParser::path_segments() {
  while (true) {
    const size_t end = until_delimiter();
    const bool last = end == rest_.size() || is_path_end(rest_[end]);
    const std::string_view segment = rest_.substr(0, end);
    const int dots = count_dots(segment);
    if (dots == 2) shorten_path();
    if (dots == 0) append_segment(segment);
    if (dots > 0 && last) url_.href_.push_back('/');
    rest_.remove_prefix(last ? end : end + 1);
    if (last) break;
  }
  end_path();
  return query();
}

void UrlParser::append_segment(std::string_view segment) {
  const bool first = here() == url_.path_begin_;
  url_.href_.push_back('/');
  if (first && is_file() && is_drive_letter(segment)) {
    url_.href_.push_back(segment[0]);
    url_.href_.push_back(':');
    return;
  }
  append_percent_encoded(url_.href_, segment, EncodeSet::kPath);
}

void UrlParser::shorten_path() {
  const std::string_view path = std::string_view(url_.href_).substr(url_.path_begin_);
  if (is_file() && path.size() == 3 && has_normal_drive_letter(path)) return;
  const size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) url_.href_.resize(url_.path_begin_ + slash);
}

// A path that begins with an empty segment would read as a host where there is none.
void UrlParser::end_path() {
  if (!url_.has_host_ && !url_.opaque_ &&
      std::string_view(url_.href_).substr(url_.path_begin_).starts_with("//")) {
    url_.href_.insert(url_.path_begin_, "/.");
    url_.path_begin_ += 2;
  }
  url_.query_begin_ = here();
}

UrlParser::Fault UrlParser::opaque_path() {
  url_.opaque_ = true;
  size_t end = 0;
  while (end < rest_.size() && !is_path_end(rest_[end])) ++end;
  append_percent_encoded(url_.href_, rest_.substr(0, end), EncodeSet::kC0Control);
  // A space at the end would be lost when the serialised address is parsed without its query.
  if (end < rest_.size() && url_.href_.back() == ' ') {
    url_.href_.pop_back();
    url_.href_.append("%20");
  }
  rest_.remove_prefix(end);
  end_path();
  return query();
}

UrlParser::Fault UrlParser::query() {
  if (rest_.starts_with('?')) {
    rest_.remove_prefix(1);
    const size_t end = std::min(rest_.find('#'), rest_.size());
    url_.href_.push_back('?');
    append_percent_encoded(url_.href_, rest_.substr(0, end),
                           is_special() ? EncodeSet::kSpecialQuery : EncodeSet::kQuery);
    rest_.remove_prefix(end);
  }
  return fragment();
}

UrlParser::Fault UrlParser::fragment() {
  url_.fragment_begin_ = here();
  if (rest_.starts_with('#')) {
    url_.href_.push_back('#');
    append_percent_encoded(url_.href_, rest_.substr(1), EncodeSet::kFragment);
  }
  return {};
}

}  // namespace dowser
