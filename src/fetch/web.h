#pragma once

#include "model/response.h"
#include "model/url.h"

// A web: the live one, an archived one, or one made for a test. Address in, answer out.

namespace dowser {

class Web {
 public:
  virtual ~Web() = default;

  // The answer for one address. Redirects are answers, not followed here: whoever follows them
  // applies robots.txt and scope to every hop. Never throws for what a server does; a failure is in
  // the response. `fetched_at` is left to the caller, who owns the clock.
  virtual Response get(const Url& url) = 0;

  // False where it is certain that the web has no such address, at no cost: an archive knows what
  // it holds.
  virtual bool may_hold(const Url&) const { return true; }
};

}  // namespace dowser
