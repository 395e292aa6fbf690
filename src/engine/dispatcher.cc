#include "engine/dispatcher.h"

#include <algorithm>
#include <utility>

#include "base/compress.h"
#include "engine/make_page.h"
#include "fetch/retry.h"

namespace dowser {
namespace {

// A host that is slow to answer is given as much time again, up to this.
constexpr Duration kLongestPause = std::chrono::seconds(30);

constexpr Duration kLongestRest = std::chrono::hours(1);

}  // namespace

void Dispatcher::submit(Candidate candidate) {
  Errand errand;
  errand.next = candidate.url;
  errand.candidate = std::move(candidate);
  submit(std::move(errand));
}

void Dispatcher::submit_probe(const Url& url) {
  Errand errand;
  errand.next = errand.candidate.url = url;
  errand.probe = true;
  submit(std::move(errand));
}

void Dispatcher::submit(Errand errand) {
  ++errands_;
  if (frontier_.has_place(errand.next)) {
    frontier_.enter(errand.next);
    errand.entered = true;
  }
  waiting_.push_back(std::move(errand));
}

Arrival Dispatcher::arrive(Errand errand, Finished answer) {
  if (errand.entered) frontier_.leave(errand.next);
  --errands_;
  if (answer.archive) errand.forms.push_back(std::move(*answer.archive));
  return {std::move(errand.candidate), std::move(errand.redirects), std::move(answer),
          std::move(errand.forms), errand.probe};
}

Arrival Dispatcher::fail(Errand errand, Failure failure, Time now) {
  Finished answer;
  answer.response.url = errand.next;
  answer.response.failure = failure;
  answer.response.fetched_at = now;
  answer.page = make_page(answer.response, {}, false);
  return arrive(std::move(errand), std::move(answer));
}

void Dispatcher::give_up(const Url& url) {
  frontier_.close(url);
  ++given_up_;
}

// The host of `url` is left alone for the time that its answer asks for. One that says we are too
// many rests twice as long each time, and is trusted again step by step as it answers.
void Dispatcher::rest(const Url& url, const Response& response) {
  const RetryRule rule = retry_rule(response);
  Duration wait = rule.wait;
  if (rule.slows_host) {
    const int times = std::min(rests_[std::string(url.host())]++, 10);
    wait = std::min<Duration>(rule.wait * (1 << times), kLongestRest);
    wait = std::max(wait, retry_after(response, response.fetched_at).value_or(Duration(0)));
  }
  frontier_.hold(url, response.fetched_at + wait);
}

// When the server saw the request is not known, only that it has by now: the delay counts from
// here. A slow host rests as long as it took.
void Dispatcher::note_answer(const Response& response) {
  const Url& url = response.url;
  frontier_.note_request(url, response.fetched_at);
  if (!options_.live) return;
  if (!response.remote_address.empty()) frontier_.set_address(url, response.remote_address);
  if (frontier_.delay_of(url) > Duration(0)) {
    frontier_.hold(url, response.fetched_at + std::min(response.elapsed, kLongestPause));
  }
  if (retry_rule(response).slows_host) return;
  const auto rests = rests_.find(std::string(url.host()));
  if (rests != rests_.end() && --rests->second <= 0) rests_.erase(rests);
}

bool Dispatcher::try_again(const Errand& errand, const Response& response) {
  if (!options_.live) return false;
  const RetryRule rule = retry_rule(response);
  if (rule.tries > 1) rest(errand.next, response);
  if (errand.probe) return false;
  if (rule.tries > 1) {
    const std::string address(errand.candidate.url.href());
    if (++tries_[address] < rule.tries) return true;
    tries_.erase(address);
  }
  if (rule.gives_up_host) give_up(errand.next);
  return false;
}

bool Dispatcher::may_start(const Errand& errand, Time now) const {
  const auto robots = robots_.find(errand.next.origin());
  if (robots != robots_.end() && !robots->second.rules) return false;  // being read
  return errand.entered && frontier_.ready_at(errand.next) <= now;
}

void Dispatcher::start(Errand errand, Time now) {
  const uint64_t id = next_id_++;
  frontier_.note_request(errand.next, now);
  const Work work{id, errand.next, true};
  running_.emplace(id, std::move(errand));
  workers_.start(work);
}

void Dispatcher::follow_robots(Time now) {
  for (size_t n = moved_robots_.size(); n > 0; --n) {
    auto [origin, url] = std::move(moved_robots_.front());
    moved_robots_.pop_front();
    if (frontier_.ready_at(url) <= now) {
      read_robots(origin, url, url, now);
    } else {
      moved_robots_.emplace_back(std::move(origin), std::move(url));
    }
  }
}

std::vector<Arrival> Dispatcher::start_ready(Time now) {
  std::vector<Arrival> arrivals;
  follow_robots(now);
  for (size_t n = waiting_.size(); n > 0; --n) {
    Errand errand = std::move(waiting_.front());
    waiting_.pop_front();
    if (errand.entered && frontier_.is_crowded(errand.next)) {
      frontier_.leave(errand.next);
      errand.entered = false;
    } else if (!errand.entered && frontier_.has_place(errand.next)) {
      frontier_.enter(errand.next);
      errand.entered = true;
    }
    const std::string origin = errand.next.origin();
    const auto robots = robots_.find(origin);
    const bool is_known = robots != robots_.end() && robots->second.rules;
    if (is_known && robots->second.unreachable != Failure::kNone) {
      arrivals.push_back(fail(std::move(errand), robots->second.unreachable, now));
    } else if (is_known && !robots->second.rules->allows(errand.next.request_target())) {
      arrivals.push_back(fail(std::move(errand), Failure::kRobots, now));
    } else if (!may_start(errand, now)) {
      waiting_.push_back(std::move(errand));
    } else if (is_known) {
      start(std::move(errand), now);
    } else {
      const Result<Url> place = Url::parse("/robots.txt", &errand.next);
      read_robots(origin, *place, errand.next, now);
      waiting_.push_back(std::move(errand));
    }
  }
  return arrivals;
}

// Its link waits again, and where it was sent to is as unknown as before.
void Dispatcher::send_home(const Errand& errand) {
  if (errand.entered) frontier_.leave(errand.next);
  --errands_;
  if (errand.probe) return;
  for (size_t i = 1; i < errand.redirects.size(); ++i) options_.unmark(errand.redirects[i].url);
  if (!errand.redirects.empty()) options_.unmark(errand.next);
  frontier_.put_back(errand.candidate);
}

void Dispatcher::call_back() {
  for (const Errand& errand : waiting_) send_home(errand);
  waiting_.clear();
  moved_robots_.clear();
}

std::optional<Time> Dispatcher::next_ready() const {
  std::optional<Time> first;
  for (const auto& [origin, url] : moved_robots_) {
    const Time ready = frontier_.ready_at(url);
    if (!first || ready < *first) first = ready;
  }
  for (const Errand& errand : waiting_) {
    const Time ready = frontier_.ready_at(errand.next);
    if (!may_start(errand, ready)) continue;  // waits for an answer, not for a time
    if (!first || ready < *first) first = ready;
  }
  return first;
}

// `asker` is the address whose host lends its place to the request.
void Dispatcher::read_robots(const std::string& origin, const Url& url, const Url& asker,
                             Time now) {
  robots_.try_emplace(origin);
  const uint64_t id = next_id_++;
  frontier_.note_request(asker, now);
  reading_.emplace(id, Reading{origin, url});
  workers_.start({id, url, false});
}

void Dispatcher::take_robots(const std::string& origin, const Finished& finished) {
  Robots& robots = robots_[origin];
  const Response& response = finished.response;
  if (response.is_redirect() && ++robots.hops <= kMaxRobotsRedirects) {
    const Url target = response.redirect_target();
    if (!target.empty()) {
      moved_robots_.emplace_back(origin, target);  // the host there has its own time
      return;
    }
  }
  if (options_.live && ++robots.tries < robots_retry_rule(response).tries) {
    rest(response.url, response);
    moved_robots_.emplace_back(origin, response.url);
    return;
  }
  adopt_rules(origin, robots, response);
}

void Dispatcher::adopt_rules(const std::string& origin, Robots& robots, const Response& response) {
  const Result<Url> home = Url::parse(origin);
  if (!options_.live) new_origins_.push_back(origin);
  if (response.ok()) {
    const Result<Decoded> body =
        decode_content(response.headers.get("Content-Encoding").value_or("identity"), response.body,
                       dowser::Robots::kLimit);
    const std::string_view text = body ? std::string_view(body->bytes) : response.body;
    const dowser::Robots file = dowser::Robots::parse(text);
    robots.rules = file.rules_for(options_.agent);
    if (const auto delay = robots.rules->crawl_delay(); delay && options_.live && home) {
      frontier_.set_delay(*home, *delay);
    }
    for (const std::string_view sitemap : file.sitemaps()) {
      if (const Result<Url> url = Url::parse(sitemap, &response.url); url && url->is_http()) {
        options_.on_sitemap(*url);
      }
    }
  } else if (response.failure == Failure::kNotInArchive) {
    robots.rules = RobotsRules();
  } else if (response.failure != Failure::kNone || response.status >= 500) {
    robots.rules = RobotsRules::deny_all();
    robots.unreachable =
        response.failure != Failure::kNone ? response.failure : Failure::kRobotsFailed;
    // A host that cannot speak TLS may have its pages at http.
    if (options_.live && home && response.failure != Failure::kTls) give_up(*home);
  } else {
    robots.rules = RobotsRules();
  }
}

std::optional<Arrival> Dispatcher::take(Finished finished) {
  note_answer(finished.response);
  if (const auto reading = reading_.find(finished.id); reading != reading_.end()) {
    const std::string origin = std::move(reading->second.origin);
    reading_.erase(reading);
    take_robots(origin, finished);
    return std::nullopt;
  }
  const auto running = running_.find(finished.id);
  if (running == running_.end()) return std::nullopt;
  Errand errand = std::move(running->second);
  running_.erase(running);
  if (try_again(errand, finished.response)) {
    ++retried_;
    send_home(errand);
    return std::nullopt;
  }
  if (!finished.response.is_redirect()) return arrive(std::move(errand), std::move(finished));

  const Url target = finished.response.redirect_target();
  const Time now = finished.response.fetched_at;
  Failure failure = Failure::kNone;
  if (target.empty()) failure = Failure::kBadRedirect;
  if (errand.redirects.size() == kMaxRedirects) failure = Failure::kTooManyRedirects;
  if (failure == Failure::kNone && !errand.probe &&
      !options_.may_follow(errand.candidate, errand.next, target)) {
    return arrive(std::move(errand), std::move(finished));
  }
  errand.redirects.push_back(std::move(finished.response));
  if (finished.archive) errand.forms.push_back(std::move(*finished.archive));
  if (failure != Failure::kNone) return fail(std::move(errand), failure, now);

  if (errand.entered) frontier_.leave(errand.next);
  errand.next = target;
  errand.entered = frontier_.has_place(target);
  if (errand.entered) frontier_.enter(target);
  waiting_.push_front(std::move(errand));
  return std::nullopt;
}

}  // namespace dowser
