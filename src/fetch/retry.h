#pragma once

#include <optional>

#include "base/clock.h"
#include "model/response.h"

namespace dowser {

// What to do after a failure. The table in retry.cc maps every kind of failure to a rule.
struct RetryRule {
  int tries = 1;            // in all; 1: the failure is final
  Duration wait{0};         // before the next try
  bool slows_host = false;  // back off from the whole host, longer each time: it is overloaded
  // When the last try has failed the host is abandoned, since every other page would fail in the
  // same way.
  bool gives_up_host = false;
};

RetryRule retry_rule(const Response& response);

// Retry-After as seconds, or as a date from `now` (of the wall clock) on, but no longer than a day;
// nothing if there is none, or it cannot be parsed.
std::optional<Duration> retry_after(const Response& response, Time now);

}  // namespace dowser
