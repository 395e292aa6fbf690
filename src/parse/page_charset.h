#pragma once

#include <string>
#include <string_view>

namespace dowser {

// The WHATWG name of the character set of a page, never empty. `content_type` is the header's
// value, or empty. The order is that of the HTML standard: byte order mark, header, <meta>,
// detection, windows-1252.
std::string charset_of_page(std::string_view bytes, std::string_view content_type, bool is_html);

// The character set that a <meta> or XML declaration in the first 1024 bytes names; empty if none.
std::string_view charset_of_meta(std::string_view bytes);

}  // namespace dowser
