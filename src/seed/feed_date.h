#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace dowser {

// A date as sitemaps and Atom write it (W3C: "2004", "2004-12", "2004-12-23",
// "2004-12-23T18:00:15.5+01:00") or as RSS does (RFC 822: "Thu, 23 Dec 2004 18:00:15 +0100"). What
// is left out is the earliest it can be; without a zone it is UTC. Nothing if it is not a date,
// which is common.
std::optional<Time> parse_feed_date(std::string_view text);

}  // namespace dowser
