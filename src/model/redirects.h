#pragma once

#include <functional>
#include <optional>

#include "model/response.h"

// How far redirects are followed. (In a crawl the dispatcher follows them itself, since it checks
// robots.txt and waits for the host before each request.)

namespace dowser {

inline constexpr int kMaxRedirects = 10;
inline constexpr int kMaxRobotsRedirects = 5;  // RFC 9309, section 2.3.1.2

// Follows redirects from `at`: next(at) is where a redirect leads, or nothing at the end. Returns
// the end, or nothing after more than `most` redirects.
template <class Address, class Next>
std::optional<Address> end_of_redirects(Address at, const Next& next, int most = kMaxRedirects) {
  for (int followed = 0; followed <= most; ++followed) {
    std::optional<Address> target = next(at);
    if (!target) return at;
    at = std::move(*target);
  }
  return std::nullopt;
}

// The answer at the end of the redirects from `url`; the last redirect if it leads nowhere, or if
// there are more than `most`.
Response final_answer(const Url& url, const std::function<Response(const Url&)>& get,
                      int most = kMaxRedirects);

}  // namespace dowser
