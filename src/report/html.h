#pragma once

#include <string>
#include <string_view>

namespace dowser {

// Text for HTML and SVG: & < > " as references. Control characters other than tab and line feed
// become spaces, since XML does not allow them.
std::string html_escaped(std::string_view text);

}  // namespace dowser
