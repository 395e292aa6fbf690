#pragma once

#include <string>

namespace dowser {

// A field of a CSV file (RFC 4180): quoted where needed, quotes doubled. Titles and addresses come
// from the web, so text that a spreadsheet would take for a formula gets a single quote in front,
// which spreadsheets do not show, and characters that are not printable become U+FFFD.
std::string csv_field(std::string text, bool is_number = false);

}  // namespace dowser
