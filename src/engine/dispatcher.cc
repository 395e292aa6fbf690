#include "engine/dispatcher.h"

#include <algorithm>
#include <utility>

#include "engine/make_page.h"
#include "fetch/retry.h"
#include "model/redirects.h"
#include "model/url_host.h"

namespace dowser {
namespace {

// After an answer the host is left alone for as long as the answer took, up to this.
constexpr Duration kLongestPause = std::chrono::seconds(30);

constexpr Duration kLongestBackOff = std::chrono::hours(1);  // unless the host asks for more

// A fetch that has to wait longer than this reserves no connection meanwhile.
constexpr Duration kLongWait = std::chrono::seconds(30);

// A host is asked again so long after all connections to its IP address were in use.
constexpr Duration kNoConnectionWait = std::chrono::milliseconds(100);

}  // namespace

void Dispatcher::submit(Candidate candidate) {
  Fetch fetch;
  fetch.next = candidate.url;
  fetch.candidate = std::move(candidate);
  submit(std::move(fetch));
}

void Dispatcher::submit_probe(const Url& url) {
  Fetch fetch;
  fetch.next = fetch.candidate.url = url;
  fetch.probe = true;
  submit(std::move(fetch));
}

void Dispatcher::submit(Fetch fetch) {
  ++in_flight_;
  for (RobotsRead& read : robots_waiting_) read.reserved = read.reserved || reserve(read.url);
  fetch.reserved = reserve(fetch.next);
  waiting_.push_back(std::move(fetch));
}

// Whether the host must not be asked for a long time yet.
bool Dispatcher::must_wait_long(const Url& url) const {
  return options_.live && hosts_.ready_at(url) - hosts_.now() > kLongWait;
}

bool Dispatcher::reserve(const Url& url) {
  if (must_wait_long(url) || !hosts_.can_reserve(url)) return false;
  hosts_.reserve(url);
  return true;
}

// The IP address of a host may not have been known when the connection was reserved.
void Dispatcher::release_if_over_limit(const Url& url, bool& reserved) {
  if (!reserved || !hosts_.is_over_limit(url)) return;
  hosts_.release(url);
  reserved = false;
}

// Fetches that wait here go before links that wait in the frontier.
void Dispatcher::reserve_waiting() {
  for (RobotsRead& read : robots_waiting_) read.reserved = read.reserved || reserve(read.url);
  for (Fetch& fetch : waiting_) {
    if (fetch.reserved) continue;
    const auto robots = robots_.find(fetch.next.origin());
    if (robots != robots_.end() && robots->second.rules) fetch.reserved = reserve(fetch.next);
  }
}

Fetched Dispatcher::finish(Fetch fetch, WorkerResult result) {
  if (fetch.reserved) hosts_.release(fetch.next);
  --in_flight_;
  if (result.archive) fetch.forms.push_back(std::move(*result.archive));
  return {std::move(fetch.candidate), std::move(fetch.redirects), std::move(result),
          std::move(fetch.forms), fetch.probe};
}

Fetched Dispatcher::fail(Fetch fetch, Failure failure, Time date) {
  WorkerResult result;
  result.response.url = fetch.next;
  result.response.failure = failure;
  result.response.fetched_at = date;
  result.page = make_page(result.response, {}, false);
  return finish(std::move(fetch), std::move(result));
}

void Dispatcher::abandon_host(const Url& url) {
  hosts_.abandon(url);
  ++hosts_abandoned_;
  options_.on_host_abandoned(url.host());
}

// The host of `url` is left alone for the time that the rule says. If it complains of too many
// requests, the time doubles with each complaint; each good answer takes one back.
void Dispatcher::back_off(const Url& url, const RetryRule& rule, const Response& response,
                          Time now) {
  Duration wait = rule.wait;
  if (rule.slows_host) {
    const int times = std::min(back_offs_[std::string(name_without_dot(url))]++, 10);
    wait = std::min<Duration>(rule.wait * (1 << times), kLongestBackOff);
    // Retry-After may be a date, so the wall clock counts, as in fetched_at.
    wait = std::max(wait, retry_after(response, response.fetched_at).value_or(Duration(0)));
  }
  hosts_.hold(url, now + wait);
  has_new_host_waits_ = true;
}

// The delay counts from the answer, since it is not known when the server saw the request.
void Dispatcher::note_answer(const Response& response, Time now) {
  const Url& url = response.url;
  hosts_.note_request(url, now);
  if (!options_.live) return;
  if (!response.remote_address.empty()) hosts_.set_address(url, response.remote_address);
  if (hosts_.delay_of(url) > Duration(0)) {
    hosts_.hold(url, now + std::min(response.elapsed, kLongestPause));
  }
  if (retry_rule(response).slows_host) return;
  const auto slowed = back_offs_.find(std::string(name_without_dot(url)));
  if (slowed != back_offs_.end() && --slowed->second <= 0) back_offs_.erase(slowed);
}

bool Dispatcher::should_retry(const Fetch& fetch, const Response& response, Time now) {
  if (!options_.live) return false;
  const RetryRule rule = retry_rule(response);
  if (rule.tries > 1) back_off(fetch.next, rule, response, now);
  if (fetch.probe) return false;
  if (rule.tries > 1) {
    const std::string address(fetch.candidate.url.href());
    if (++tries_[address] < rule.tries) return true;
    tries_.erase(address);
  }
  if (rule.gives_up_host) abandon_host(fetch.next);
  return false;
}

void Dispatcher::start(Fetch fetch, Time now) {
  const uint64_t id = next_id_++;
  hosts_.note_request(fetch.next, now);
  const WorkerJob job{id, fetch.next, true};
  running_.emplace(id, std::move(fetch));
  workers_.start(job);
}

// Starts a fetch if the rules of its origin are known, a connection is free and its time has come.
// False: it still has to wait.
bool Dispatcher::start_or_wait(Fetch& fetch, Time now) {
  const std::string origin = fetch.next.origin();
  const auto found = robots_.find(origin);
  if (found == robots_.end()) {
    read_robots(origin, fetch.next, fetch.reserved);  // takes over the connection
    fetch.reserved = false;
    return false;
  }
  const Robots& robots = found->second;
  if (!robots.rules) {
    if (fetch.reserved) hosts_.release(fetch.next);
    fetch.reserved = false;
    parked_ += must_wait_long(robots.url);
    return false;
  }
  if (options_.live && !robots.being_read && now - robots.read_at >= kRobotsLife) {
    read_robots(origin, fetch.next, false);
  }
  if (!fetch.reserved) fetch.reserved = reserve(fetch.next);
  if (fetch.reserved && hosts_.ready_at(fetch.next) <= now) {
    start(std::move(fetch), now);
    return true;
  }
  parked_ += must_wait_long(fetch.next);
  return false;
}

std::vector<Fetched> Dispatcher::start_ready(Time now) {
  std::vector<Fetched> fetched;
  const Time date = options_.live ? wall_time() : now;
  parked_ = 0;
  start_robots_reads(now);
  for (size_t n = waiting_.size(); n > 0; --n) {
    Fetch fetch = std::move(waiting_.front());
    waiting_.pop_front();
    const auto robots = robots_.find(fetch.next.origin());
    const bool is_known = robots != robots_.end() && robots->second.rules;
    if (is_known && robots->second.unreachable != Failure::kNone) {
      fetched.push_back(fail(std::move(fetch), robots->second.unreachable, date));
      continue;
    }
    if (is_known && !robots->second.rules->allows(fetch.next.request_target())) {
      fetched.push_back(fail(std::move(fetch), Failure::kRobots, date));
      continue;
    }
    const bool had_place = fetch.reserved;
    release_if_over_limit(fetch.next, fetch.reserved);
    if (had_place && !fetch.reserved && can_put_back(fetch)) {
      put_back(fetch);
    } else if (!start_or_wait(fetch, now)) {
      waiting_.push_back(std::move(fetch));
    }
  }
  start_robots_reads(now);
  return fetched;
}

// It can be taken from the frontier again without any request having been wasted.
bool Dispatcher::can_put_back(const Fetch& fetch) const {
  return options_.live && !fetch.probe && fetch.redirects.empty();
}

void Dispatcher::put_back(const Fetch& fetch) {
  if (fetch.reserved) hosts_.release(fetch.next);
  --in_flight_;
  if (fetch.probe) return;
  std::vector<Url> targets;
  for (size_t i = 1; i < fetch.redirects.size(); ++i) targets.push_back(fetch.redirects[i].url);
  if (!fetch.redirects.empty()) targets.push_back(fetch.next);
  options_.put_back(fetch.candidate, targets);
}

void Dispatcher::put_back_waiting() {
  for (const Fetch& fetch : waiting_) put_back(fetch);
  waiting_.clear();
  for (const RobotsRead& read : robots_waiting_) {
    if (read.reserved) hosts_.release(read.url);
    const auto robots = robots_.find(read.origin);
    if (!robots->second.rules) {
      hosts_.unblock(*Url::parse(read.origin));
      robots_.erase(robots);
    } else {
      robots->second.being_read = false;
    }
  }
  robots_waiting_.clear();
}

std::optional<Dispatcher::Start> Dispatcher::next_start() const {
  std::optional<Start> first;
  // A fetch without a connection, although its time is near, waits for an answer, not for a time.
  const auto consider = [&](const Url& url, bool reserved) {
    if (!reserved && !must_wait_long(url)) return;
    const Time ready = hosts_.ready_at(url);
    if (!first || ready < first->ready) first = Start{ready, &url};
  };
  for (const RobotsRead& read : robots_waiting_) consider(read.url, read.reserved);
  for (const Fetch& fetch : waiting_) {
    const auto robots = robots_.find(fetch.next.origin());
    if (robots == robots_.end() || robots->second.rules) consider(fetch.next, fetch.reserved);
  }
  return first;
}

// All connections to the IP address of the host are in use; the address was not known, or changed.
void Dispatcher::take_refusal(const WorkerResult& result, Time now) {
  const Url& url = result.response.url;
  hosts_.set_address(url, result.response.remote_address);
  hosts_.hold(url, now + kNoConnectionWait);
  if (auto reading = reading_.extract(result.id)) {
    hosts_.release(url);
    reading.mapped().reserved = false;
    return refuse_robots(std::move(reading.mapped()));
  }
  auto running = running_.extract(result.id);
  if (!running) return;
  Fetch& fetch = running.mapped();
  if (can_put_back(fetch)) return put_back(fetch);
  hosts_.release(url);
  fetch.reserved = false;
  waiting_.push_back(std::move(fetch));
}

std::optional<Fetched> Dispatcher::take(WorkerResult result, Time now) {
  std::optional<Fetched> fetched;
  if (result.no_connection) {
    take_refusal(result, now);
  } else if (result.is_converting) {
    take_converting(result, now);
  } else {
    fetched = take_answer(std::move(result), now);
  }
  reserve_waiting();
  return fetched;
}

// The answer has come; its host may be asked again while the document is converted.
void Dispatcher::take_converting(const WorkerResult& result, Time now) {
  note_answer(result.response, now);
  auto running = running_.extract(result.id);
  if (!running) return;
  Fetch& fetch = running.mapped();
  if (fetch.reserved) hosts_.release(fetch.next);
  fetch.reserved = false;
  converting_.emplace(result.id, std::move(fetch));
}

std::optional<Fetched> Dispatcher::take_answer(WorkerResult result, Time now) {
  if (auto converted = converting_.extract(result.id)) {
    return finish(std::move(converted.mapped()), std::move(result));
  }
  note_answer(result.response, now);
  if (auto reading = reading_.extract(result.id)) {
    hosts_.release(reading.mapped().url);
    take_robots(std::move(reading.mapped()), result.response, now);
    return std::nullopt;
  }
  const auto running = running_.find(result.id);
  if (running == running_.end()) return std::nullopt;
  Fetch fetch = std::move(running->second);
  running_.erase(running);
  if (should_retry(fetch, result.response, now)) {
    ++retried_;
    put_back(fetch);
    return std::nullopt;
  }
  if (!result.response.is_redirect()) return finish(std::move(fetch), std::move(result));

  const Url target = result.response.redirect_target();
  const Time date = result.response.fetched_at;
  Failure failure = Failure::kNone;
  if (target.empty()) failure = Failure::kBadRedirect;
  if (fetch.redirects.size() == size_t{kMaxRedirects}) failure = Failure::kTooManyRedirects;
  if (failure == Failure::kNone && !fetch.probe &&
      !options_.may_follow(fetch.candidate, fetch.next, target)) {
    return finish(std::move(fetch), std::move(result));
  }
  fetch.redirects.push_back(std::move(result.response));
  if (result.archive) fetch.forms.push_back(std::move(*result.archive));
  if (failure != Failure::kNone) return fail(std::move(fetch), failure, date);

  if (fetch.reserved) hosts_.release(fetch.next);
  fetch.next = target;
  fetch.reserved = reserve(target);
  waiting_.push_front(std::move(fetch));
  return std::nullopt;
}

}  // namespace dowser
