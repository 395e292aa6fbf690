#include "engine/dispatcher.h"

#include <algorithm>
#include <utility>

#include "engine/make_page.h"
#include "fetch/retry.h"
#include "model/url_host.h"

namespace dowser {
namespace {

// A host that is slow to answer is given as much time again, up to this.
constexpr Duration kLongestPause = std::chrono::seconds(30);

constexpr Duration kLongestRest = std::chrono::hours(1);  // unless the host names a longer time

// Who has to wait longer than this takes no place meanwhile: others may go there.
constexpr Duration kLongWait = std::chrono::seconds(30);

// A host whose address was full is asked again after so long at the earliest.
constexpr Duration kNoPlaceWait = std::chrono::milliseconds(100);

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
  for (RobotsRead& read : robots_waiting_) read.entered = read.entered || enter(read.url);
  errand.entered = enter(errand.next);
  waiting_.push_back(std::move(errand));
}

// Whether the host must not be asked for a long time yet.
bool Dispatcher::is_far(const Url& url) const {
  return options_.live && frontier_.ready_at(url) - frontier_.now() > kLongWait;
}

bool Dispatcher::enter(const Url& url) {
  if (is_far(url) || !frontier_.has_place(url)) return false;
  frontier_.enter(url);
  return true;
}

// The address of a host was not known when it was entered.
void Dispatcher::leave_if_crowded(const Url& url, bool& entered) {
  if (!entered || !frontier_.is_crowded(url)) return;
  frontier_.leave(url);
  entered = false;
}

// Those who wait here go before those who wait in the frontier.
void Dispatcher::let_in() {
  for (RobotsRead& read : robots_waiting_) read.entered = read.entered || enter(read.url);
  for (Errand& errand : waiting_) {
    if (errand.entered) continue;
    const auto robots = robots_.find(errand.next.origin());
    if (robots != robots_.end() && robots->second.rules) errand.entered = enter(errand.next);
  }
}

Arrival Dispatcher::arrive(Errand errand, Finished answer) {
  if (errand.entered) frontier_.leave(errand.next);
  --errands_;
  if (answer.archive) errand.forms.push_back(std::move(*answer.archive));
  return {std::move(errand.candidate), std::move(errand.redirects), std::move(answer),
          std::move(errand.forms), errand.probe};
}

Arrival Dispatcher::fail(Errand errand, Failure failure, Time date) {
  Finished answer;
  answer.response.url = errand.next;
  answer.response.failure = failure;
  answer.response.fetched_at = date;
  answer.page = make_page(answer.response, {}, false);
  return arrive(std::move(errand), std::move(answer));
}

void Dispatcher::give_up(const Url& url) {
  frontier_.close(url);
  ++given_up_;
  options_.on_host_given_up(url.host());
}

// The host of `url` is left alone for the time that its answer asks for. One that says we are too
// many rests twice as long each time, and is trusted again step by step as it answers.
void Dispatcher::rest(const Url& url, const RetryRule& rule, const Response& response, Time now) {
  Duration wait = rule.wait;
  if (rule.slows_host) {
    const int times = std::min(rests_[std::string(name_without_dot(url))]++, 10);
    wait = std::min<Duration>(rule.wait * (1 << times), kLongestRest);
    // A date is the wall clock's, and so is the time of the answer.
    wait = std::max(wait, retry_after(response, response.fetched_at).value_or(Duration(0)));
  }
  frontier_.hold(url, now + wait);
}

// When the server saw the request is not known, only that it has by now: the delay counts from
// here. A slow host rests as long as it took.
void Dispatcher::note_answer(const Response& response, Time now) {
  const Url& url = response.url;
  frontier_.note_request(url, now);
  if (!options_.live) return;
  if (!response.remote_address.empty()) frontier_.set_address(url, response.remote_address);
  if (frontier_.delay_of(url) > Duration(0)) {
    frontier_.hold(url, now + std::min(response.elapsed, kLongestPause));
  }
  if (retry_rule(response).slows_host) return;
  const auto rests = rests_.find(std::string(name_without_dot(url)));
  if (rests != rests_.end() && --rests->second <= 0) rests_.erase(rests);
}

bool Dispatcher::try_again(const Errand& errand, const Response& response, Time now) {
  if (!options_.live) return false;
  const RetryRule rule = retry_rule(response);
  if (rule.tries > 1) rest(errand.next, rule, response, now);
  if (errand.probe) return false;
  if (rule.tries > 1) {
    const std::string address(errand.candidate.url.href());
    if (++tries_[address] < rule.tries) return true;
    tries_.erase(address);
  }
  if (rule.gives_up_host) give_up(errand.next);
  return false;
}

void Dispatcher::start(Errand errand, Time now) {
  const uint64_t id = next_id_++;
  frontier_.note_request(errand.next, now);
  const Work work{id, errand.next, true};
  running_.emplace(id, std::move(errand));
  workers_.start(work);
}

// Starts what has its rules, place and time. False: it waits on.
bool Dispatcher::start_or_wait(Errand& errand, Time now) {
  const std::string origin = errand.next.origin();
  const auto found = robots_.find(origin);
  if (found == robots_.end()) {
    read_robots(origin, errand.next, errand.entered);  // which takes over the place
    errand.entered = false;
    return false;
  }
  const Robots& robots = found->second;
  if (!robots.rules) {
    if (errand.entered) frontier_.leave(errand.next);
    errand.entered = false;
    parked_ += is_far(robots.place);
    return false;
  }
  if (options_.live && !robots.being_read && now - robots.read_at >= kRobotsLife) {
    read_robots(origin, errand.next, false);
  }
  if (!errand.entered) errand.entered = enter(errand.next);
  if (errand.entered && frontier_.ready_at(errand.next) <= now) {
    start(std::move(errand), now);
    return true;
  }
  parked_ += is_far(errand.next);
  return false;
}

std::vector<Arrival> Dispatcher::start_ready(Time now) {
  std::vector<Arrival> arrivals;
  const Time date = options_.live ? wall_time() : now;
  parked_ = 0;
  start_robots_reads(now);
  for (size_t n = waiting_.size(); n > 0; --n) {
    Errand errand = std::move(waiting_.front());
    waiting_.pop_front();
    const auto robots = robots_.find(errand.next.origin());
    const bool is_known = robots != robots_.end() && robots->second.rules;
    if (is_known && robots->second.unreachable != Failure::kNone) {
      arrivals.push_back(fail(std::move(errand), robots->second.unreachable, date));
      continue;
    }
    if (is_known && !robots->second.rules->allows(errand.next.request_target())) {
      arrivals.push_back(fail(std::move(errand), Failure::kRobots, date));
      continue;
    }
    const bool had_place = errand.entered;
    leave_if_crowded(errand.next, errand.entered);
    if (had_place && !errand.entered && can_go_home(errand)) {
      send_home(errand);
    } else if (!start_or_wait(errand, now)) {
      waiting_.push_back(std::move(errand));
    }
  }
  start_robots_reads(now);
  return arrivals;
}

// It can be taken from the frontier again without any request having been in vain.
bool Dispatcher::can_go_home(const Errand& errand) const {
  return options_.live && !errand.probe && errand.redirects.empty();
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
  for (const RobotsRead& read : robots_waiting_) {
    if (read.entered) frontier_.leave(read.url);
    const auto robots = robots_.find(read.origin);
    if (!robots->second.rules) {
      frontier_.unblock(*Url::parse(read.origin));
      robots_.erase(robots);
    } else {
      robots->second.being_read = false;
    }
  }
  robots_waiting_.clear();
}

std::optional<Time> Dispatcher::next_ready() const {
  std::optional<Time> first;
  // Who has no place although the time is near waits for an answer, not for a time.
  const auto consider = [&](const Url& url, bool entered) {
    if (!entered && !is_far(url)) return;
    const Time ready = frontier_.ready_at(url);
    if (!first || ready < *first) first = ready;
  };
  for (const RobotsRead& read : robots_waiting_) consider(read.url, read.entered);
  for (const Errand& errand : waiting_) {
    const auto robots = robots_.find(errand.next.origin());
    if (robots == robots_.end() || robots->second.rules) consider(errand.next, errand.entered);
  }
  return first;
}

// The address of the host has no place left; it was not known before, or has changed.
void Dispatcher::take_refusal(const Finished& finished, Time now) {
  const Url& url = finished.response.url;
  frontier_.set_address(url, finished.response.remote_address);
  frontier_.hold(url, now + kNoPlaceWait);
  if (auto reading = reading_.extract(finished.id)) {
    frontier_.leave(url);
    reading.mapped().entered = false;
    return refuse_robots(std::move(reading.mapped()));
  }
  auto running = running_.extract(finished.id);
  if (!running) return;
  Errand& errand = running.mapped();
  if (can_go_home(errand)) return send_home(errand);
  frontier_.leave(url);
  errand.entered = false;
  waiting_.push_back(std::move(errand));
}

std::optional<Arrival> Dispatcher::take(Finished finished, Time now) {
  std::optional<Arrival> arrival;
  if (finished.no_place) {
    take_refusal(finished, now);
  } else {
    arrival = take_answer(std::move(finished), now);
  }
  let_in();
  return arrival;
}

std::optional<Arrival> Dispatcher::take_answer(Finished finished, Time now) {
  note_answer(finished.response, now);
  if (auto reading = reading_.extract(finished.id)) {
    frontier_.leave(reading.mapped().url);
    take_robots(std::move(reading.mapped()), finished.response, now);
    return std::nullopt;
  }
  const auto running = running_.find(finished.id);
  if (running == running_.end()) return std::nullopt;
  Errand errand = std::move(running->second);
  running_.erase(running);
  if (try_again(errand, finished.response, now)) {
    ++retried_;
    send_home(errand);
    return std::nullopt;
  }
  if (!finished.response.is_redirect()) return arrive(std::move(errand), std::move(finished));

  const Url target = finished.response.redirect_target();
  const Time date = finished.response.fetched_at;
  Failure failure = Failure::kNone;
  if (target.empty()) failure = Failure::kBadRedirect;
  if (errand.redirects.size() == kMaxRedirects) failure = Failure::kTooManyRedirects;
  if (failure == Failure::kNone && !errand.probe &&
      !options_.may_follow(errand.candidate, errand.next, target)) {
    return arrive(std::move(errand), std::move(finished));
  }
  errand.redirects.push_back(std::move(finished.response));
  if (finished.archive) errand.forms.push_back(std::move(*finished.archive));
  if (failure != Failure::kNone) return fail(std::move(errand), failure, date);

  if (errand.entered) frontier_.leave(errand.next);
  errand.next = target;
  errand.entered = enter(target);
  waiting_.push_front(std::move(errand));
  return std::nullopt;
}

}  // namespace dowser
