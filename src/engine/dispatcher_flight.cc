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
  std::vector<uint64_t> ids;  // in the order of their start
  for (const auto& [id, errand] : running_) ids.push_back(id);
  for (const auto& [id, origin] : reading_) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  for (const uint64_t id : ids) {
    SavedFlight::Running& one = flight.running.emplace_back();
    if (const auto errand = running_.find(id); errand != running_.end()) {
      one.errand = saved(errand->second);
    } else {
      const Reading& reading = reading_.at(id);
      one.robots = {reading.origin, std::string(reading.url.href()),
                    robots_.at(reading.origin).hops};
    }
  }
  for (const auto& [origin, url] : moved_robots_) {
    flight.moved.push_back({origin, std::string(url.href()), robots_.at(origin).hops});
  }
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

std::vector<Arrival> Dispatcher::restore(const SavedFlight& flight,
                                         const std::function<Response(const Url&)>& get) {
  for (const std::string& origin : flight.origins) {
    Result<Url> url = Url::parse(origin + "/robots.txt");
    if (!url) continue;
    Robots& robots = robots_[origin];
    while (true) {
      Response response = get(*url);
      response.url = *url;
      const Url target = response.is_redirect() ? response.redirect_target() : Url();
      if (target.empty() || ++robots.hops > kMaxRobotsRedirects) {
        adopt_rules(origin, robots, response);
        break;
      }
      *url = target;
    }
  }
  new_origins_.clear();
  for (const SavedFlight::Reading& reading : flight.moved) {
    robots_[reading.origin].hops = reading.redirects;
    if (Result<Url> url = Url::parse(reading.url)) moved_robots_.emplace_back(reading.origin, *url);
  }
  for (const SavedFlight::Errand& saved : flight.waiting) {
    if (std::optional<Errand> errand = restored(flight, saved, get)) submit(std::move(*errand));
  }
  for (const SavedFlight::Running& saved : flight.running) {
    const uint64_t id = next_id_++;
    if (!saved.errand) {
      const Result<Url> url = Url::parse(saved.robots.url);
      if (!url) continue;
      robots_[saved.robots.origin].hops = saved.robots.redirects;
      reading_.emplace(id, Reading{saved.robots.origin, *url});
      workers_.start({id, *url, false});
    } else if (std::optional<Errand> errand = restored(flight, *saved.errand, get)) {
      ++errands_;
      frontier_.enter(errand->next);
      errand->entered = true;
      const Work work{id, errand->next, true};
      running_.emplace(id, std::move(*errand));
      workers_.start(work);
    }
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
