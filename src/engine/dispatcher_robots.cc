#include <algorithm>
#include <utility>

#include "engine/dispatcher.h"

// The part of the Dispatcher that reads robots.txt.

namespace dowser {

// `from` is an address of the origin; `entered` says that its place now belongs to this request.
// Until it is read for the first time, the frontier sends no more links of the host.
void Dispatcher::read_robots(const std::string& origin, const Url& from, bool entered) {
  const auto [it, is_new] = robots_.try_emplace(origin);
  Robots& robots = it->second;
  robots.place = *Url::parse("/robots.txt", &from);
  robots.being_read = true;
  robots.hops = robots.tries = 0;
  if (is_new) frontier_.block(from);
  robots_waiting_.push_back({origin, robots.place, entered});
}

void Dispatcher::start_robots_reads(Time now) {
  for (size_t n = robots_waiting_.size(); n > 0; --n) {
    RobotsRead read = std::move(robots_waiting_.front());
    robots_waiting_.pop_front();
    leave_if_crowded(read.url, read.entered);
    if (!read.entered) read.entered = enter(read.url);
    if (!read.entered || frontier_.ready_at(read.url) > now) {
      robots_waiting_.push_back(std::move(read));
      continue;
    }
    const uint64_t id = next_id_++;
    frontier_.note_request(read.url, now);
    const Work work{id, read.url, false};
    reading_.emplace(id, std::move(read));
    workers_.start(work);
  }
}

void Dispatcher::take_robots(RobotsRead read, const Response& response, Time now) {
  Robots& robots = robots_[read.origin];
  const auto ask_again = [&](const Url& url) {
    robots.place = url;
    robots_waiting_.push_back({read.origin, url});
  };
  if (response.failure == Failure::kNone && response.is_redirect() &&
      ++robots.hops <= kMaxRobotsRedirects) {
    const Url target = response.redirect_target();
    if (!target.empty()) return ask_again(target);
  }
  const RobotsAnswer answer = robots_answer(response);
  if (options_.live && ++robots.tries < answer.retry.tries) {
    rest(response.url, answer.retry, response, now);
    return ask_again(response.url);
  }
  adopt_rules(read.origin, answer, response.url, now);
}

void Dispatcher::adopt_rules(const std::string& origin, const RobotsAnswer& answer, const Url& from,
                             Time now) {
  Robots& robots = robots_[origin];
  const Url home = *Url::parse(origin);
  const bool is_first = !robots.rules;
  if (answer.kind == RobotsAnswer::Kind::kRules) {
    const dowser::Robots file = dowser::Robots::parse(answer.text);
    robots.rules = file.rules_for(options_.agent);
    if (const auto delay = robots.rules->crawl_delay(); delay && options_.live) {
      // The host that a redirect led to means itself.
      for (const Url* url : {&home, &from}) {
        frontier_.set_delay(*url, std::max(*delay, frontier_.delay_of(*url)));
        frontier_.note_request(*url, now);  // the first page waits as long
      }
    }
    for (const std::string_view sitemap : file.sitemaps()) {
      if (const Result<Url> url = Url::parse(sitemap, &from); url && url->is_http()) {
        options_.on_sitemap(*url);
      }
    }
  } else if (answer.kind == RobotsAnswer::Kind::kNoRules) {
    robots.rules = RobotsRules();
  } else if (is_first) {
    robots.rules = RobotsRules::deny_all();
    robots.unreachable = answer.failure;
    // A host that cannot speak TLS may have its pages at http.
    if (options_.live && answer.failure != Failure::kTls) give_up(home);
  }
  robots.being_read = false;
  robots.read_at = now;
  if (is_first) frontier_.unblock(home);
}

// Errands that wait for the robots.txt of a host at a full address would keep others from going
// elsewhere. They go back to the frontier, which knows the address now.
void Dispatcher::refuse_robots(RobotsRead read) {
  const auto robots = robots_.find(read.origin);
  const bool is_first = !robots->second.rules;
  const auto waits = [&](const Errand& errand) { return errand.next.origin() == read.origin; };
  const bool all_can_go = std::ranges::all_of(
      waiting_, [&](const Errand& errand) { return !waits(errand) || can_go_home(errand); });
  if (!is_first || !all_can_go || robots->second.hops > 0) {
    robots_waiting_.push_back(std::move(read));
    return;
  }
  frontier_.unblock(read.url);
  robots_.erase(robots);
  std::erase_if(waiting_, [&](const Errand& errand) {
    if (!waits(errand)) return false;
    send_home(errand);
    return true;
  });
}

}  // namespace dowser
