#include "base/xml_writer.h"

#include <cstdint>

namespace dowser {
namespace {

constexpr std::string_view kReplaced = "\xEF\xBF\xBD";  // U+FFFD

// The length of the well-formed UTF-8 character at the start that XML may hold; 0 if there is none.
size_t character_length(std::string_view s) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(s[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 || lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0;
  const size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                        : lead >= 0xE0 && lead <= 0xEF ? 3
                        : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                       : 0;
  if (length == 0 || s.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (lead == 0xE0 && byte(1) < 0xA0) return 0;                      // overlong
  if (lead == 0xED && byte(1) > 0x9F) return 0;                      // surrogates
  if (lead == 0xF0 && byte(1) < 0x90) return 0;                      // overlong
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;                      // above U+10FFFF
  if (lead == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE) return 0;  // U+FFFE, U+FFFF
  return length;
}

}  // namespace

std::string xml_text(std::string_view utf8) {
  std::string text;
  text.reserve(utf8.size());
  while (!utf8.empty()) {
    const size_t length = character_length(utf8);
    const std::string_view one = utf8.substr(0, length);
    utf8.remove_prefix(length == 0 ? 1 : length);
    if (length == 0) {
      text += kReplaced;
    } else if (one == "&") {
      text += "&amp;";
    } else if (one == "<") {
      text += "&lt;";
    } else if (one == ">") {
      text += "&gt;";
    } else if (one == "\"") {
      text += "&quot;";
    } else if (one == "\t" || one == "\n" || one == "\r") {
      text += one == "\t" ? "&#9;" : one == "\n" ? "&#10;" : "&#13;";  // a reader would fold them
    } else {
      text += one;
    }
  }
  return text;
}

XmlWriter::XmlWriter(std::ostream& out) : out_(out) {
  out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
}

void XmlWriter::begin(std::string_view name, XmlAttributes attributes) {
  out_ << std::string(2 * open_.size(), ' ') << '<' << name;
  for (const auto& [key, value] : attributes) out_ << ' ' << key << "=\"" << xml_text(value) << '"';
}

void XmlWriter::open(std::string_view name, XmlAttributes attributes) {
  begin(name, attributes);
  out_ << ">\n";
  open_.emplace_back(name);
}

void XmlWriter::close() {
  const std::string name = std::move(open_.back());
  open_.pop_back();
  out_ << std::string(2 * open_.size(), ' ') << "</" << name << ">\n";
}

void XmlWriter::element(std::string_view name, XmlAttributes attributes, std::string_view text) {
  begin(name, attributes);
  if (text.empty()) {
    out_ << "/>\n";
  } else {
    out_ << '>' << xml_text(text) << "</" << name << ">\n";
  }
}

}  // namespace dowser
