#pragma once

#include <string>
#include <string_view>

namespace dowser {

// A cell of a CSV file (RFC 4180): quoted where needed, quotes doubled. Text that a spreadsheet
// would compute gets a single quote in front, which spreadsheets do not show.
std::string csv_text(std::string_view text);

}  // namespace dowser
