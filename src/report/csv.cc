#include "report/csv.h"

namespace dowser {

std::string csv_text(std::string_view text) {
  std::string cell;
  const bool is_formula =
      !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != text.npos;
  if (is_formula) cell += '\'';
  cell += text;
  if (cell.find_first_of(",\"\r\n") == cell.npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace dowser
