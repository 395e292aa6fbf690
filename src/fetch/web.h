#pragma once

#include "model/response.h"
#include "model/url.h"

// A web: the live one, an archived one, or one made for a test. Address in, answer out.

namespace dowser {

class Web {
 public:
  virtual ~Web() = default;

  // The answer for one address, complete: `url` is the address, and `fetched_at` when it was
  // answered, for an archive the date of the record. Redirects are answers and are not followed
  // here: whoever follows them obeys robots.txt and the scope for each. Never throws for what a
  // server does; a failure is in the response.
  virtual Response get(const Url& url) = 0;

  // False if the web certainly has no such address, which an archive knows at no cost.
  virtual bool may_hold(const Url&) const { return true; }
};

}  // namespace dowser
