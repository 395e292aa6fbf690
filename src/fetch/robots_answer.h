#pragma once

#include <string>

#include "fetch/retry.h"
#include "model/response.h"

namespace dowser {

// What the answer to a request for robots.txt means (RFC 9309, 2.3.1), redirects aside.
struct RobotsAnswer {
  enum class Kind {
    kRules,        // `text` holds them
    kNoRules,      // 4xx, or not in the archive: everything is allowed
    kUnreachable,  // nothing is allowed: no answer, 5xx, 429, or a body that did not come whole or
                   // cannot be decoded, so that a rule may be missing
  };
  Kind kind = Kind::kNoRules;
  std::string text;
  Failure failure = Failure::kNone;  // of kUnreachable: what the pages of the host failed by
  RetryRule retry;                   // of kUnreachable: when to ask again
};

// A body that is longer than Robots::kLimit counts as far as it was read.
RobotsAnswer robots_answer(const Response& response);

}  // namespace dowser
