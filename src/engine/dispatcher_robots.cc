#include <algorithm>
#include <utility>

#include "engine/dispatcher.h"
#include "model/redirects.h"

// The part of the Dispatcher that reads robots.txt.

namespace dowser {

// `from` is an address of the origin; if a connection to it is `reserved`, this request uses it.
// Until robots.txt is read for the first time, no more links of the host are taken.
void Dispatcher::read_robots(const std::string& origin, const Url& from, bool reserved) {
  const auto [it, is_new] = robots_.try_emplace(origin);
  Robots& robots = it->second;
  robots.url = *Url::parse("/robots.txt", &from);
  robots.being_read = true;
  robots.redirects = robots.tries = 0;
  if (is_new) hosts_.block(from);
  robots_waiting_.push_back({origin, robots.url, reserved});
}

void Dispatcher::start_robots_reads(Time now) {
  for (size_t n = robots_waiting_.size(); n > 0; --n) {
    RobotsRead read = std::move(robots_waiting_.front());
    robots_waiting_.pop_front();
    release_if_over_limit(read.url, read.reserved);
    if (!read.reserved) read.reserved = reserve(read.url);
    if (!read.reserved || hosts_.ready_at(read.url) > now) {
      robots_waiting_.push_back(std::move(read));
      continue;
    }
    const uint64_t id = next_id_++;
    hosts_.note_request(read.url, now);
    const WorkerJob job{id, read.url, false};
    reading_.emplace(id, std::move(read));
    workers_.start(job);
  }
}

void Dispatcher::take_robots(RobotsRead read, const Response& response, Time now) {
  Robots& robots = robots_[read.origin];
  const auto ask_again = [&](const Url& url) {
    robots.url = url;
    robots_waiting_.push_back({read.origin, url});
  };
  if (response.failure == Failure::kNone && response.is_redirect() &&
      ++robots.redirects <= kMaxRobotsRedirects) {
    const Url target = response.redirect_target();
    if (!target.empty()) return ask_again(target);
  }
  const RobotsAnswer answer = robots_answer(response);
  if (options_.live && ++robots.tries < answer.retry.tries) {
    back_off(response.url, answer.retry, response, now);
    return ask_again(response.url);
  }
  adopt_rules(read.origin, answer, response.url, now);
}

void Dispatcher::adopt_rules(const std::string& origin, const RobotsAnswer& answer, const Url& from,
                             Time now) {
  Robots& robots = robots_[origin];
  const Url home = *Url::parse(origin);
  const bool is_first = !robots.rules;
  if (!options_.live) new_origins_.push_back(origin);
  if (answer.kind == RobotsAnswer::Kind::kRules) {
    const dowser::Robots file = dowser::Robots::parse(answer.text);
    robots.rules = file.rules_for(options_.agent);
    if (const auto delay = robots.rules->crawl_delay(); delay && options_.live) {
      // The host that a redirect led to means itself, too.
      for (const Url* url : {&home, &from}) {
        hosts_.set_delay(*url, std::max(*delay, hosts_.delay_of(*url)));
        hosts_.note_request(*url, now);  // the first page waits as long
      }
      has_new_host_waits_ = true;
    }
    for (const std::string_view sitemap : file.sitemaps()) {
      if (const Result<Url> url = Url::parse(sitemap, &from); url && url->is_http()) {
        options_.on_sitemap(url->without_credentials());
      }
    }
  } else if (answer.kind == RobotsAnswer::Kind::kNoRules) {
    robots.rules = RobotsRules();
  } else if (is_first) {
    robots.rules = RobotsRules::deny_all();
    robots.unreachable = answer.failure;
    // A host that cannot speak TLS may have its pages at http.
    if (options_.live && answer.failure != Failure::kTls) abandon_host(home);
  }
  robots.being_read = false;
  robots.read_at = now;
  if (is_first) hosts_.unblock(home);
}

// Fetches that wait for the robots.txt of a host whose IP address has no free connection would keep
// others from starting. They go back to the frontier, which knows the address now.
void Dispatcher::refuse_robots(RobotsRead read) {
  const auto robots = robots_.find(read.origin);
  const bool is_first = !robots->second.rules;
  const auto waits = [&](const Fetch& fetch) { return fetch.next.origin() == read.origin; };
  const bool all_can_be_put_back = std::ranges::all_of(
      waiting_, [&](const Fetch& fetch) { return !waits(fetch) || can_put_back(fetch); });
  if (!is_first || !all_can_be_put_back || robots->second.redirects > 0) {
    robots_waiting_.push_back(std::move(read));
    return;
  }
  hosts_.unblock(read.url);
  robots_.erase(robots);
  std::erase_if(waiting_, [&](const Fetch& fetch) {
    if (!waits(fetch)) return false;
    put_back(fetch);
    return true;
  });
}

}  // namespace dowser
