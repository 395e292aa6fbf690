#include <algorithm>

#include "engine/dispatcher.h"
#include "model/redirects.h"

// The part of the Dispatcher that saves and restores what is in flight. On an archived web only:
// there connections are not limited, nothing is retried, and no time passes while a request is in
// flight, so that starting it again gives the same answer at the same time.

namespace dowser {

SavedFlight::Fetch Dispatcher::saved(const Fetch& fetch) const {
  SavedFlight::Fetch saved;
  saved.sequence = fetch.candidate.sequence;
  saved.mark = fetch.candidate.mark;
  for (const Response& redirect : fetch.redirects) saved.redirects.push_back(redirect.fetched_at);
  return saved;
}

void Dispatcher::save(SavedFlight& flight) {
  for (const Fetch& fetch : waiting_) flight.waiting.push_back(saved(fetch));
  const auto saved_read = [this](const RobotsRead& read) {
    return SavedFlight::Reading{read.origin, std::string(read.url.href()),
                                robots_.at(read.origin).redirects};
  };
  std::vector<uint64_t> ids;  // in the order of their start
  for (const auto& [id, fetch] : running_) ids.push_back(id);
  for (const auto& [id, read] : reading_) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  for (const uint64_t id : ids) {
    if (const auto fetch = running_.find(id); fetch != running_.end()) {
      flight.running.emplace_back(saved(fetch->second));
    } else {
      flight.running.emplace_back(saved_read(reading_.at(id)));
    }
  }
  for (const RobotsRead& read : robots_waiting_) flight.moved.push_back(saved_read(read));
  flight.origins = std::exchange(new_origins_, {});
}

// Follows the redirects that were followed before, and marks their targets again.
std::optional<Dispatcher::Fetch> Dispatcher::restored(const SavedFlight::Fetch& saved,
                                                      const Frontier::Taken& taken,
                                                      const Get& get) {
  std::optional<Candidate> candidate = saved.candidate(taken);
  if (!candidate) return std::nullopt;
  Fetch fetch;
  fetch.next = candidate->url;
  fetch.candidate = std::move(*candidate);
  for (const Time time : saved.redirects) {
    Response redirect = get(fetch.next);
    redirect.url = fetch.next;
    redirect.fetched_at = time;
    const Url target = redirect.redirect_target();
    if (target.empty()) return std::nullopt;  // the archive has changed
    (void)options_.may_follow(fetch.candidate, fetch.next, target);
    fetch.redirects.push_back(std::move(redirect));
    fetch.next = target;
  }
  return fetch;
}

// Reads the robots.txt of an origin whose rules were known.
void Dispatcher::restore_rules(const std::string& origin, Time now, const Get& get) {
  const Result<Url> url = Url::parse(origin + "/robots.txt");
  if (!url) return;
  hosts_.block(*url);  // until its rules are adopted, as when it was read first
  const Response response = final_answer(*url, get, kMaxRobotsRedirects);
  adopt_rules(origin, robots_answer(response), response.url, now);
}

// A robots.txt that was being read for the first time, or waited for that. Nothing if its address
// cannot be parsed.
std::optional<Dispatcher::RobotsRead> Dispatcher::restored(const SavedFlight::Reading& saved) {
  const Result<Url> url = Url::parse(saved.url);
  const Result<Url> home = Url::parse(saved.origin);
  if (!url || !home) return std::nullopt;
  Robots& robots = robots_[saved.origin];
  robots.url = *url;
  robots.being_read = true;
  robots.redirects = saved.redirects;
  hosts_.block(*home);
  return RobotsRead{saved.origin, *url, reserve(*url)};
}

std::vector<Fetched> Dispatcher::restore(const SavedFlight& flight, const Frontier::Taken& taken,
                                         const Get& get) {
  for (const std::string& origin : flight.origins) restore_rules(origin, flight.now, get);
  new_origins_.clear();
  for (const SavedFlight::Reading& saved : flight.moved) {
    if (auto read = restored(saved)) robots_waiting_.push_back(std::move(*read));
  }
  for (const SavedFlight::Running& saved : flight.running) {
    const uint64_t id = next_id_++;
    if (const auto* reading = std::get_if<SavedFlight::Reading>(&saved)) {
      std::optional<RobotsRead> read = restored(*reading);
      if (!read) continue;
      const WorkerJob job{id, read->url, false};
      reading_.emplace(id, std::move(*read));
      workers_.start(job);
    } else if (std::optional<Fetch> fetch =
                   restored(std::get<SavedFlight::Fetch>(saved), taken, get)) {
      ++in_flight_;
      fetch->reserved = reserve(fetch->next);
      const WorkerJob job{id, fetch->next, true};
      running_.emplace(id, std::move(*fetch));
      workers_.start(job);
    }
  }
  for (const SavedFlight::Fetch& saved : flight.waiting) {
    std::optional<Fetch> fetch = restored(saved, taken, get);
    if (!fetch) continue;
    ++in_flight_;
    const auto robots = robots_.find(fetch->next.origin());
    // A fetch that waits for a robots.txt has reserved no connection: the request for it has.
    fetch->reserved = robots != robots_.end() && robots->second.rules && reserve(fetch->next);
    waiting_.push_back(std::move(*fetch));
  }
  std::vector<Fetched> failed;
  for (const SavedFlight::Fetch& saved : flight.failed) {
    if (std::optional<Fetch> fetch = restored(saved, taken, get)) {
      ++in_flight_;
      failed.push_back(fail(std::move(*fetch), saved.failure, flight.now));
    }
  }
  return failed;
}

}  // namespace dowser
