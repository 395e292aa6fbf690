#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dowser {

// The words of a file name, in lower case: it is split at what is not a letter and where the case
// changes. "CSHomework_2b.pdf" gives cs, homework, b, pdf; "hw3.pdf" gives hw, pdf, and
// "hwang.pdf" does not. Escapes (%20) are decoded.
std::vector<std::string> name_words(std::string_view name);

// Words in the names of files that are hardly ever papers (Chen 2008, table 8).
const std::vector<std::string>& usual_unwelcome_names();

}  // namespace dowser
