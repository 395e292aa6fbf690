#include "report/csv.h"
#include "text/printable.h"

#include <algorithm>
#include <string_view>

namespace dowser {
namespace {

// Also with the full-width forms of the signs, which some spreadsheets take for the plain ones.
bool looks_like_formula(std::string_view text) {
  for (const char* sign : {"=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"}) {
    if (text.starts_with(sign)) return true;
  }
  return false;
}

// Ends of lines and tabs stay: quotes are made for them.
std::string printable_lines(std::string_view text) {
  std::string out;
  while (true) {
    const size_t end = std::min(text.find_first_of("\t\r\n"), text.size());
    out += printable(text.substr(0, end));
    if (end == text.size()) return out;
    out += text[end];
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string csv_field(std::string text, bool is_number) {
  if (!is_number) text = printable_lines(text);
  if (!is_number && looks_like_formula(text)) text.insert(0, 1, '\'');
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace dowser
