#pragma once

#include <optional>

#include "base/clock.h"
#include "model/response.h"

namespace dowser {

// What to do about an answer that is none. One table maps every kind of failure to it: retry.cc.
struct RetryRule {
  int tries = 1;            // in all; 1 = take it as it is
  Duration wait{0};         // before the next try
  bool slows_host = false;  // the whole host rests, longer each time: it said that we are too many
  // When the last try has failed nothing more is asked of the host: it would be the same for every
  // page.
  bool gives_up_host = false;
};

RetryRule retry_rule(const Response& response);

// Retry-After as seconds, or as a date from `now` (of the wall clock) on, but no longer than a day;
// nothing where there is none that can be read.
std::optional<Duration> retry_after(const Response& response, Time now);

}  // namespace dowser
