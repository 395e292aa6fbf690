#pragma once

#include <string_view>

// Parameters of a query that say who asks and from where, not what is asked for.

namespace dowser {

// PHPSESSID, jsessionid, CFID and so on. Names that also mean other things (sid, s) only where the
// value looks like a session: "sid=0a1b2c3d4e5f60718293a4b5c6d7e8f9", not "sid=12".
bool is_session_parameter(std::string_view name, std::string_view value);

// utm_source, gclid, fbclid and so on.
bool is_tracking_parameter(std::string_view name);

}  // namespace dowser
