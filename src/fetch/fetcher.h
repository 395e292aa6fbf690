#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/clock.h"
#include "fetch/robots.h"
#include "fetch/web.h"

// Gets a page from a web as a guest should: robots.txt is read first, once for each origin, and
// obeyed at every hop of a redirect.

namespace dowser {

struct Fetched {
  std::vector<Response> redirects;  // in order; empty where the first answer was final
  Response response;
};

class Fetcher {
 public:
  struct Options {
    std::string agent;  // the name that robots.txt is searched for
    // Called before every request, robots.txt included: waits until the host may be asked.
    std::function<void(const Url&)> before_request = [](const Url&) {};
    // Asked for the target of every redirect. No: the redirect itself is the final answer.
    std::function<bool(const Url&)> may_follow = [](const Url&) { return true; };
  };

  Fetcher(Web& web, const Clock& clock, Options options)
      : web_(web), clock_(clock), options_(std::move(options)) {}

  // The answer for `url`, redirects followed. Where robots.txt forbids it, the failure says so and
  // the server was not asked.
  Fetched fetch(const Url& url);

  // What the robots.txt of the address's origin has for us.
  const RobotsRules& robots_for(const Url& url);

  static constexpr int kMaxRedirects = 10;

 private:
  Response request(const Url& url);
  RobotsRules read_robots(const Url& url);

  Web& web_;
  const Clock& clock_;
  const Options options_;
  absl::flat_hash_map<std::string, RobotsRules> robots_;  // by origin
};

}  // namespace dowser
