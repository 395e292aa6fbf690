#pragma once

#include <string_view>

// Query parameters that identify the visitor or the referring site rather than the page.

namespace dowser {

// PHPSESSID, jsessionid, CFID and so on. Names that also have other meanings (sid, s) count only if
// the value looks like a session: "sid=0a1b2c3d4e5f60718293a4b5c6d7e8f9", not "sid=12".
bool is_session_parameter(std::string_view name, std::string_view value);

// utm_source, gclid, fbclid and so on.
bool is_tracking_parameter(std::string_view name);

}  // namespace dowser
