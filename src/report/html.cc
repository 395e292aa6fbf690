#include "report/html.h"

namespace dowser {

std::string html_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n' ? c : ' ';
    }
  }
  return out;
}

}  // namespace dowser
