#include "seed/xml_scanner.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace dowser {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view local_name(std::string_view name) {
  const size_t colon = name.rfind(':');
  return colon == name.npos ? name : name.substr(colon + 1);
}

void append_code_point(std::string& out, uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

// Of what stands between & and ;
std::optional<uint32_t> character_of(std::string_view entity) {
  if (entity == "amp") return '&';
  if (entity == "lt") return '<';
  if (entity == "gt") return '>';
  if (entity == "quot") return '"';
  if (entity == "apos") return '\'';
  if (!entity.starts_with('#')) return std::nullopt;
  entity.remove_prefix(1);
  const bool hex = entity.starts_with('x') || entity.starts_with('X');
  if (hex) entity.remove_prefix(1);
  uint32_t c = 0;
  const auto [end, error] =
      std::from_chars(entity.data(), entity.data() + entity.size(), c, hex ? 16 : 10);
  const bool whole = end == entity.data() + entity.size() && error == std::errc();
  if (!whole || c == 0 || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return std::nullopt;
  return c;
}

void append_decoded(std::string& out, std::string_view text, size_t limit) {
  constexpr size_t kLongestEntity = 10;  // "#x0010FFFF"
  for (size_t i = 0; i < text.size() && out.size() < limit;) {
    if (text[i] == '&') {
      const std::string_view rest = text.substr(i + 1, kLongestEntity + 1);
      const size_t semicolon = rest.find(';');
      if (semicolon != rest.npos) {
        if (const auto c = character_of(rest.substr(0, semicolon))) {
          append_code_point(out, *c);
          i += semicolon + 2;
          continue;
        }
      }
    }
    out += text[i++];
  }
}

}  // namespace

std::string decode_xml(std::string_view text) {
  std::string out;
  append_decoded(out, text, out.max_size());
  return out;
}

XmlScanner::Token XmlScanner::next() {
  while (at_ < xml_.size()) {
    const std::string_view rest = xml_.substr(at_);
    if (rest[0] != '<') {
      text_ = rest.substr(0, rest.find('<'));
      cdata_ = false;
      at_ += text_.size();
      return Token::kText;
    }
    if (rest.starts_with("<!--")) {
      at_ += 4;
      skip_to_behind("-->");
    } else if (rest.starts_with("<![CDATA[")) {
      const size_t begin = at_ += 9;
      const bool closed = skip_to_behind("]]>");
      text_ = xml_.substr(begin, at_ - begin - (closed ? 3 : 0));
      cdata_ = true;
      return Token::kText;
    } else if (rest.starts_with("<!")) {
      skip_declaration();
    } else if (rest.starts_with("<?")) {
      skip_to_behind("?>");
    } else {
      const bool close = rest.starts_with("</");
      at_ += close ? 2 : 1;
      read_tag();
      return close ? Token::kClose : Token::kOpen;
    }
  }
  return Token::kEnd;
}

bool XmlScanner::skip_to_behind(std::string_view end) {
  const size_t found = xml_.find(end, at_);
  at_ = found == xml_.npos ? xml_.size() : found + end.size();
  return found != xml_.npos;
}

// <!DOCTYPE …>, which may hold declarations in brackets, with quotes that may hold anything.
void XmlScanner::skip_declaration() {
  int brackets = 0;
  char quote = 0;
  for (; at_ < xml_.size(); ++at_) {
    const char c = xml_[at_];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[') {
      ++brackets;
    } else if (c == ']') {
      --brackets;
    } else if (c == '>' && brackets <= 0) {
      ++at_;
      return;
    }
  }
}

void XmlScanner::read_tag() {
  const size_t begin = at_;
  char quote = 0;
  for (; at_ < xml_.size(); ++at_) {
    const char c = xml_[at_];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if ((c == '"' || c == '\'') && xml_[at_ - 1] == '=') {
      quote = c;
    } else if (c == '>' || c == '<') {
      break;
    }
  }
  std::string_view tag = xml_.substr(begin, at_ - begin);
  if (at_ < xml_.size() && xml_[at_] == '>')
    ++at_;  // a '<' begins the next: this one was not closed
  empty_tag_ = tag.ends_with('/');
  if (empty_tag_) tag.remove_suffix(1);
  const auto end = std::find_if(tag.begin(), tag.end(), is_space);
  const size_t size = static_cast<size_t>(end - tag.begin());
  name_ = local_name(tag.substr(0, size));
  attributes_ = tag.substr(size);
}

std::string XmlScanner::attribute(std::string_view wanted) const {
  std::string_view rest = attributes_;
  while (true) {
    while (!rest.empty() && is_space(rest[0])) rest.remove_prefix(1);
    const size_t equals = rest.find('=');
    if (equals == rest.npos) return "";
    std::string_view name = rest.substr(0, equals);
    while (!name.empty() && is_space(name.back())) name.remove_suffix(1);
    // Of "checked href", a name without a value before another, the last is meant.
    name = name.substr(name.find_last_of(" \t\r\n") + 1);
    rest.remove_prefix(equals + 1);
    while (!rest.empty() && is_space(rest[0])) rest.remove_prefix(1);
    if (rest.empty()) return "";
    std::string_view value;
    if (rest[0] == '"' || rest[0] == '\'') {
      const size_t end = std::min(rest.find(rest[0], 1), rest.size());
      value = rest.substr(1, end - 1);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    } else {
      value = rest.substr(0, rest.find_first_of(" \t\r\n"));
      rest.remove_prefix(value.size());
    }
    if (local_name(name) == wanted) return decode_xml(value);
  }
}

void XmlScanner::append_text(std::string& out, size_t limit) const {
  if (out.size() >= limit) return;
  if (cdata_) {
    out.append(text_.substr(0, limit - out.size()));
  } else {
    append_decoded(out, text_, limit);
  }
}

}  // namespace dowser
