#pragma once

#include <string>
#include <string_view>

namespace dowser {

// Tells a report about a crawl from a page that somebody else wrote.
inline constexpr std::string_view kMadeByDowser = "<meta name=\"generator\" content=\"Dowser\">";

// Text for HTML and SVG: & < > " as references. Control characters other than tab and line feed
// become spaces, since XML does not allow them.
std::string html_escaped(std::string_view text);

}  // namespace dowser
