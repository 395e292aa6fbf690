#include "store/link_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

namespace dowser {
namespace {

// Characters that stand for themselves inside a JSON text.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (int c = 0; c < 256; ++c) plain[c] = c >= 0x20 && c != '"' && c != '\\';
  return plain;
}();

bool is_plain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

void append_text(std::string& out, std::string_view text) {
  out += '"';
  while (true) {
    const auto* end = std::find_if_not(text.begin(), text.end(), is_plain);
    out.append(text.begin(), end);
    if (end == text.end()) break;
    constexpr char kDigits[] = "0123456789abcdef";
    const auto c = static_cast<unsigned char>(*end);
    if (c < 0x20) {
      out += "\\u00";
      out += kDigits[c >> 4];
      out += kDigits[c & 15];
    } else {
      out += '\\';
      out += *end;
    }
    text.remove_prefix(static_cast<size_t>(end - text.begin()) + 1);
  }
  out += '"';
}

void append_text_or_null(std::string& out, std::string_view text) {
  text.empty() ? void(out += "null") : append_text(out, text);
}

void append_number(std::string& out, uint64_t number) {
  char digits[20];
  const char* end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(std::string_view(digits, end));
}

// The shortest form that is read back exactly. SQLite reads a number without a point as an integer,
// and one beyond the range of numbers as infinity.
void append_real(std::string& out, double real) {
  if (std::isinf(real)) {
    out += real < 0 ? "-9e999" : "9e999";
    return;
  }
  char digits[32];
  const char* end = std::to_chars(digits, digits + sizeof digits, real + 0.0).ptr;  // no -0.0
  const std::string_view text(digits, end);
  out += text;
  if (text.find_first_of(".e") == text.npos) out += ".0";
}

// Of ASCII characters alone: SQLite counts characters, and an address has no others.
size_t common_prefix(std::string_view a, std::string_view b) {
  const size_t most = std::min(a.size(), b.size());
  size_t n = 0;
  while (n < most && a[n] == b[n] && static_cast<signed char>(a[n]) > 0) ++n;
  return n;
}

}  // namespace

void LinkListWriter::begin(std::string_view base) {
  base_ = base;
  paths_.clear();
  links_.clear();
  path_numbers_.clear();
  last_path_ = {};
}

uint32_t LinkListWriter::path_number(std::string_view path) {
  if (path == last_path_) return last_number_;
  const auto [it, is_new] =
      path_numbers_.try_emplace(path, static_cast<uint32_t>(path_numbers_.size()));
  if (is_new) {
    paths_ += paths_.empty() ? '[' : ',';
    append_text(paths_, path);
  }
  last_path_ = path;
  return last_number_ = it->second;
}

void LinkListWriter::add(const LinkRow& link) {
  links_ += links_.empty() ? "[[" : ",[";
  const size_t shared = common_prefix(base_, link.url);
  append_number(links_, shared);
  links_ += ',';
  append_text(links_, link.url.substr(shared));
  links_ += ',';
  link.tag_path.empty() ? void(links_ += "null")
                        : append_number(links_, path_number(link.tag_path));
  links_ += ',';
  links_ += static_cast<char>('0' + int{link.won} + 2 * int{link.nofollow});
  const int fields = !link.parts.empty()                   ? 3
                     : !link.anchor.empty()                ? 2
                     : link.score || !link.refused.empty() ? 1
                                                           : 0;
  if (fields > 0) {
    links_ += ',';
    link.score ? append_real(links_, *link.score) : append_text_or_null(links_, link.refused);
  }
  if (fields > 1) links_ += ',', append_text_or_null(links_, link.anchor);
  if (fields > 2) links_ += ',', append_text(links_, link.parts);
  links_ += ']';
}

std::string_view LinkListWriter::paths() {
  if (paths_.empty()) return "[]";
  if (paths_.back() != ']') paths_ += ']';
  return paths_;
}

std::string_view LinkListWriter::links() {
  if (links_.empty()) return "[]";
  if (!links_.ends_with("]]")) links_ += ']';
  return links_;
}

bool LinkListReader::fail() {
  ended_ = damaged_ = true;
  return false;
}

bool LinkListReader::take(char c) {
  if (at_ == end_ || *at_ != c) return false;
  ++at_;
  return true;
}

bool LinkListReader::take_null() {
  if (!std::string_view(at_, end_).starts_with("null")) return false;
  at_ += 4;
  return true;
}

bool LinkListReader::number(uint64_t& value) {
  const auto [rest, failed] = std::from_chars(at_, end_, value);
  at_ = rest;
  return failed == std::errc();
}

bool LinkListReader::real(double& value) {
  const bool negative = at_ != end_ && *at_ == '-';
  const auto [rest, failed] = std::from_chars(at_, end_, value);
  at_ = rest;
  if (failed == std::errc::result_out_of_range) {
    value = (negative ? -1 : 1) * std::numeric_limits<double>::infinity();
    return true;
  }
  return failed == std::errc();
}

bool LinkListReader::text(std::string& unescaped, std::string_view& value) {
  if (!take('"')) return false;
  const char* const begin = at_;
  while (at_ != end_ && is_plain(*at_)) ++at_;
  if (at_ != end_ && *at_ == '"') {
    value = std::string_view(begin, at_++);
    return true;
  }
  unescaped.assign(begin, at_);
  while (at_ != end_ && *at_ != '"') {
    if (*at_ != '\\') {
      if (!is_plain(*at_)) return false;
      unescaped += *at_++;
    } else if (end_ - at_ >= 2 && (at_[1] == '"' || at_[1] == '\\')) {
      unescaped += at_[1];
      at_ += 2;
    } else {
      int c = 0;
      if (end_ - at_ < 6 || !std::string_view(at_, 4).starts_with("\\u00")) return false;
      if (std::from_chars(at_ + 4, at_ + 6, c, 16).ptr != at_ + 6) return false;
      unescaped += static_cast<char>(c);
      at_ += 6;
    }
  }
  value = unescaped;
  return take('"');
}

bool LinkListReader::open(std::string_view base, std::string_view paths, std::string_view links) {
  base_ = base, paths_ = paths, links_ = links;
  ended_ = damaged_ = false;
  path_texts_.clear();
  at_ = paths_.data(), end_ = at_ + paths_.size();
  if (!take('[')) return fail();
  for (bool first = true; !take(']'); first = false) {
    std::string_view path;
    if (!(first || take(',')) || !text(rest_, path)) return fail();
    path_texts_.emplace_back(path);
  }
  if (at_ != end_) return fail();
  at_ = links_.data(), end_ = at_ + links_.size();
  return take('[') || fail();
}

bool LinkListReader::next() {
  if (ended_) return false;
  if (take(']')) {
    ended_ = true;
    return at_ == end_ ? false : fail();
  }
  if (at_ != links_.data() + 1 && !take(',')) return fail();
  return read_link() || fail();
}

bool LinkListReader::read_link() {
  uint64_t shared = 0, path = 0, flags = 0;
  std::string_view rest;
  link_ = {};
  if (!take('[') || !number(shared) || shared > base_.size() || !take(',')) return false;
  if (!text(rest_, rest) || !take(',')) return false;
  url_.assign(base_, 0, shared).append(rest);
  link_.url = url_;
  if (!take_null()) {
    if (!number(path) || path >= path_texts_.size()) return false;
    link_.tag_path = path_texts_[path];
  }
  if (!take(',') || !number(flags) || flags > 3) return false;
  link_.won = flags & 1, link_.nofollow = flags & 2;
  if (take(']')) return true;
  if (!take(',')) return false;
  if (at_ != end_ && *at_ == '"') {
    if (!text(refused_, link_.refused)) return false;
  } else if (!take_null()) {
    if (!real(link_.score.emplace())) return false;
  }
  if (take(']')) return true;
  if (!take(',') || !(take_null() || text(anchor_, link_.anchor))) return false;
  if (take(']')) return true;
  return take(',') && text(parts_, link_.parts) && take(']');
}

}  // namespace dowser
