#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace dowser {

// The readable text of a TeX or LaTeX file, without running TeX: comments, mathematics and most
// commands are left out, what they enclose is kept, accents become letters, and \title, \author,
// \abstract and headings stand on lines of their own. Nothing is included or executed: \input names
// stay unread.
Result<std::string> text_of_tex(std::string_view source);

}  // namespace dowser
