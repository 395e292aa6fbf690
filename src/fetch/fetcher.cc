#include "fetch/fetcher.h"

namespace dowser {
namespace {

Response failed(const Url& url, Failure failure, Time at) {
  Response response;
  response.url = url;
  response.failure = failure;
  response.fetched_at = at;
  return response;
}

// Where a redirect leads; an empty Url where it names no http address.
Url target_of(const Response& redirect) {
  const auto location = redirect.headers.get("Location");
  if (!location) return {};
  Result<Url> target = Url::parse(*location, &redirect.url);
  return target && target->is_http() ? std::move(*target) : Url();
}

}  // namespace

Response Fetcher::request(const Url& url) {
  options_.before_request(url);
  Response response = web_.get(url);
  response.url = url;
  response.fetched_at = clock_.now();
  return response;
}

// RFC 9309 §2.3.1: up to five redirects are followed; 4xx means "no rules", 5xx and silence mean
// "nothing may be fetched". An archive that holds no robots.txt is as good as a 404.
RobotsRules Fetcher::read_robots(const Url& url) {
  Result<Url> place = Url::parse("/robots.txt", &url);
  if (!place) return RobotsRules::deny_all();
  Url next = std::move(*place);
  for (int hop = 0; hop <= 5; ++hop) {
    const Response response = request(next);
    if (response.ok()) return Robots::parse(response.body).rules_for(options_.agent);
    if (response.failure == Failure::kNotInArchive) return RobotsRules();
    if (response.failure != Failure::kNone || response.status >= 500) {
      return RobotsRules::deny_all();
    }
    if (!response.is_redirect()) return RobotsRules();
    next = target_of(response);
    if (next.empty()) return RobotsRules();
  }
  return RobotsRules();
}

const RobotsRules& Fetcher::robots_for(const Url& url) {
  const std::string origin = url.origin();
  const auto known = robots_.find(origin);
  if (known != robots_.end()) return known->second;
  return robots_.emplace(origin, read_robots(url)).first->second;
}

Fetched Fetcher::fetch(const Url& url) {
  Fetched fetched;
  Url next = url;
  while (true) {
    if (!robots_for(next).allows(next.request_target())) {
      fetched.response = failed(next, Failure::kRobots, clock_.now());
      return fetched;
    }
    fetched.response = request(next);
    if (!fetched.response.is_redirect()) return fetched;

    next = target_of(fetched.response);
    Failure failure = Failure::kNone;
    if (next.empty()) failure = Failure::kBadRedirect;
    if (fetched.redirects.size() == kMaxRedirects) failure = Failure::kTooManyRedirects;
    if (failure == Failure::kNone && !options_.may_follow(next)) return fetched;
    const Url here = fetched.response.url;
    fetched.redirects.push_back(std::move(fetched.response));
    if (failure != Failure::kNone) {
      fetched.response = failed(here, failure, clock_.now());
      return fetched;
    }
  }
}

}  // namespace dowser
