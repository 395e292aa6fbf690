#include <algorithm>

#include "engine/dispatcher.h"

// What a dispatcher has under way, saved and put back. On an archived web only: there a host has as
// many places as are wanted, nothing is tried again, and time stands still while a request is under
// way, so that starting it again gives the same answer at the same time.

namespace dowser {

SavedFlight::Errand Dispatcher::saved(const Errand& errand) const {
  SavedFlight::Errand saved;
  saved.sequence = frontier_.sequence_of(errand.candidate.url).value_or(UINT64_MAX);
  saved.mark = errand.candidate.mark;
  for (const Response& redirect : errand.redirects) saved.redirects.push_back(redirect.fetched_at);
  return saved;
}

void Dispatcher::save(SavedFlight& flight) {
  for (const Errand& errand : waiting_) flight.waiting.push_back(saved(errand));
  const auto saved_read = [this](const RobotsRead& read) {
    return SavedFlight::Reading{read.origin, std::string(read.url.href()),
                                robots_.at(read.origin).hops};
  };
  std::vector<uint64_t> ids;  // in the order of their start
  for (const auto& [id, errand] : running_) ids.push_back(id);
  for (const auto& [id, read] : reading_) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  for (const uint64_t id : ids) {
    SavedFlight::Running& one = flight.running.emplace_back();
    if (const auto errand = running_.find(id); errand != running_.end()) {
      one.errand = saved(errand->second);
    } else {
      one.robots = saved_read(reading_.at(id));
    }
  }
  for (const RobotsRead& read : robots_waiting_) flight.moved.push_back(saved_read(read));
  flight.origins = std::exchange(new_origins_, {});
}

// Follows the redirects that it had followed, and marks again where they lead.
std::optional<Dispatcher::Errand> Dispatcher::restored(
    const SavedFlight& flight, const SavedFlight::Errand& saved,
    const std::function<Response(const Url&)>& get) {
  std::optional<Candidate> candidate = flight.candidate(saved.sequence, saved.mark);
  if (!candidate) return std::nullopt;
  Errand errand;
  errand.next = candidate->url;
  errand.candidate = std::move(*candidate);
  for (const Time time : saved.redirects) {
    Response redirect = get(errand.next);
    redirect.url = errand.next;
    redirect.fetched_at = time;
    const Url target = redirect.redirect_target();
    if (target.empty()) return std::nullopt;  // the archive is not the one that it was
    (void)options_.may_follow(errand.candidate, errand.next, target);
    errand.redirects.push_back(std::move(redirect));
    errand.next = target;
  }
  return errand;
}

// Reads the robots.txt of an origin whose rules were known.
void Dispatcher::restore_rules(const std::string& origin, Time now,
                               const std::function<Response(const Url&)>& get) {
  Result<Url> url = Url::parse(origin + "/robots.txt");
  if (!url) return;
  Robots& robots = robots_[origin];
  frontier_.block(*url);  // until its rules are adopted, as when it was read first
  while (true) {
    Response response = get(*url);
    response.url = *url;
    const Url target = response.is_redirect() ? response.redirect_target() : Url();
    if (target.empty() || ++robots.hops > kMaxRobotsRedirects) {
      return adopt_rules(origin, robots_answer(response), *url, now);
    }
    *url = target;
  }
}

// A robots.txt that was being read for the first time, or waited for that. Nothing where its
// address cannot be parsed.
std::optional<Dispatcher::RobotsRead> Dispatcher::restored(const SavedFlight::Reading& saved) {
  const Result<Url> url = Url::parse(saved.url);
  const Result<Url> home = Url::parse(saved.origin);
  if (!url || !home) return std::nullopt;
  Robots& robots = robots_[saved.origin];
  robots.place = *url;
  robots.being_read = true;
  robots.hops = saved.redirects;
  frontier_.block(*home);
  return RobotsRead{saved.origin, *url, enter(*url)};
}

std::vector<Arrival> Dispatcher::restore(const SavedFlight& flight,
                                         const std::function<Response(const Url&)>& get) {
  for (const std::string& origin : flight.origins) restore_rules(origin, flight.now, get);
  new_origins_.clear();
  for (const SavedFlight::Reading& saved : flight.moved) {
    if (auto read = restored(saved)) robots_waiting_.push_back(std::move(*read));
  }
  for (const SavedFlight::Running& saved : flight.running) {
    const uint64_t id = next_id_++;
    if (!saved.errand) {
      std::optional<RobotsRead> read = restored(saved.robots);
      if (!read) continue;
      const Work work{id, read->url, false};
      reading_.emplace(id, std::move(*read));
      workers_.start(work);
    } else if (std::optional<Errand> errand = restored(flight, *saved.errand, get)) {
      ++errands_;
      errand->entered = enter(errand->next);
      const Work work{id, errand->next, true};
      running_.emplace(id, std::move(*errand));
      workers_.start(work);
    }
  }
  for (const SavedFlight::Errand& saved : flight.waiting) {
    std::optional<Errand> errand = restored(flight, saved, get);
    if (!errand) continue;
    ++errands_;
    const auto robots = robots_.find(errand->next.origin());
    // Who waits for a robots.txt has no place: the request for it does.
    errand->entered = robots != robots_.end() && robots->second.rules && enter(errand->next);
    waiting_.push_back(std::move(*errand));
  }
  std::vector<Arrival> arrived;
  for (const SavedFlight::Errand& saved : flight.arrived) {
    if (std::optional<Errand> errand = restored(flight, saved, get)) {
      ++errands_;
      arrived.push_back(fail(std::move(*errand), saved.failure, flight.now));
    }
  }
  return arrived;
}

}  // namespace dowser
