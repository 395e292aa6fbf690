#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dowser {

// Base 64 of RFC 4648 with its padding, without line ends.
std::string base64(std::string_view bytes);
// Nothing if the text is not base 64; padding may be missing.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace dowser
