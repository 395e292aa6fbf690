#include "frontier/frontier.h"

#include <algorithm>

#include "base/hash.h"
#include "frontier/memory_links.h"

namespace dowser {
namespace {

// "example.org", or "example.org:8080" where the port is not the usual one.
std::string site_of(const Url& url) {
  std::string site(name_without_dot(url));
  if (const auto port = url.port()) site.append(":").append(std::to_string(*port));
  return site;
}

// The name of "example.org:8080".
std::string_view without_port(std::string_view site) {
  const size_t colon = site.rfind(':');
  return colon == site.npos || site.ends_with(']') ? site : site.substr(0, colon);
}

}  // namespace

double Exploration::bonus(uint32_t taken, size_t waiting) const {
  if (taken >= pages) return 0;
  const double links = static_cast<double>(taken) + static_cast<double>(waiting);
  return height * (1 - taken / pages) * (known > links ? links / known : 1);
}

double Exploration::pages_of_each(size_t hosts) const {
  constexpr double kPagesOfSeeds = 150;  // of all hosts of the seeds together
  return std::min(pages, kPagesOfSeeds / static_cast<double>(std::max<size_t>(1, hosts)));
}

Frontier::Frontier(FrontierOptions options)
    : Frontier(std::move(options), std::make_unique<MemoryLinks>()) {}

Frontier::Frontier(FrontierOptions options, std::unique_ptr<LinkStore> links)
    : Frontier(std::move(options), *links) {
  own_links_ = std::move(links);
}

Frontier::Frontier(FrontierOptions options, LinkStore& links)
    : options_(std::move(options)),
      links_(links),
      waiting_(options_.max_waiting > 0),
      schedule_({.delay = options_.delay,
                 .max_connections = options_.max_connections,
                 .max_per_address = options_.max_per_address,
                 .host_gap = options_.host_gap}),
      quotas_(options_.max_per_host, options_.max_per_site) {}

HostId Frontier::host_named(std::string_view name) {
  const auto [it, added] = host_ids_.try_emplace(hash64(name), static_cast<HostId>(hosts_.size()));
  if (added) {
    hosts_.emplace_back();
    schedule_.add_host();
    quotas_.add_host(name);
  }
  return it->second;
}

std::optional<HostId> Frontier::find_host(const Url& url) const {
  const auto it = host_ids_.find(hash64(name_without_dot(url)));
  if (it == host_ids_.end()) return std::nullopt;
  return it->second;
}

std::optional<Frontier::Slot> Frontier::find_waiting(const Url& url) const {
  const auto known = known_.find(Seen(seen_fingerprint(url)));
  if (known == known_.end() || !known->second.is_waiting()) return std::nullopt;
  return known->second.slot();
}

// Links in flight are not counted: after a crash they will be taken once more.
void Frontier::save_host(HostId id, std::string_view name) {
  const Host& host = hosts_[id];
  // What the host asked for. The delay of the settings may be another one after a resume.
  const Duration own = schedule_.delay(id) > options_.delay ? schedule_.delay(id) : Duration(0);
  links_.set_host(name,
                  {quotas_.taken(id) - host.in_flight, schedule_.ready_at(id), own,
                   abandoned_.contains(hash64(name)), schedule_.rests_until(id), host.fatigue});
}

void Frontier::note_port(HostId id, const Url& url) {
  Host& host = hosts_[id];
  const uint16_t port = url.port().value_or(0);
  if (!host.has_port) {
    host.has_port = true;
    host.port = port;
  } else if (host.port != port) {
    host.has_other_ports = true;
  }
}

bool Frontier::is_abandoned(const Url& url) const {
  return !abandoned_.empty() && abandoned_.contains(hash64(site_of(url)));
}

Frontier::Taken Frontier::load(const InFlight& in_flight) {
  Taken taken;
  links_.each_host([&](std::string_view name, const HostRecord& record) {
    // A record of "host:port" says that this port was abandoned.
    const HostId id = host_named(without_port(name));
    if (record.abandoned) abandoned_.insert(hash64(name));
    quotas_.add_taken(id, record.taken);
    schedule_.set_delay(id, std::max(record.delay, schedule_.delay(id)));
    schedule_.hold(id, record.ready_at);
    schedule_.set_rests_until(id, std::max(record.rests_until, schedule_.rests_until(id)));
    hosts_[id].fatigue = record.fatigue;
  });
  links_.each_visited([&](uint64_t fingerprint, VisitId id) {
    known_.insert_or_assign(Seen(fingerprint), Fate::visited(id));
  });
  links_.each_waiting([&](uint64_t fingerprint, const Candidate& link) {
    const uint64_t sequence = link.sequence;
    next_sequence_ = sequence + 1;
    const HostId host = host_of(link.url);
    note_port(host, link.url);
    if (const auto flight = in_flight.find(sequence); flight != in_flight.end()) {
      flights_.insert_or_assign(fingerprint, Flight{sequence, host, flight->second, link.score});
      known_.insert_or_assign(Seen(fingerprint), Fate::in_flight());
      quotas_.add_taken(host, flight->second);
      hosts_[host].in_flight += flight->second;
      if (flight->second) taken.emplace(sequence, link);
    } else if (is_abandoned(link.url) || !admit(fingerprint, host, {link.score, sequence})) {
      links_.erase(sequence);
    }
  });
  return taken;
}

std::vector<uint64_t> Frontier::marked() const {
  std::vector<uint64_t> sequences;
  for (const auto& [fingerprint, flight] : flights_) {
    if (!flight.taken) sequences.push_back(flight.sequence);
  }
  return sequences;
}

void Frontier::update_head(HostId id) {
  const WaitingLinks::Queue& queue = hosts_[id].queue;
  if (queue.empty()) return schedule_.set_head(id, std::nullopt);
  Rank rank = waiting_.rank(queue.front().slot);
  if (exploration_.is_on()) {
    const double bonus = exploration_.bonus(quotas_.taken(id), queue.size());
    rank.score = rank.score.plus(bonus - hosts_[id].fatigue);
  }
  schedule_.set_head(id, rank);
}

void Frontier::explore(const Exploration& exploration) {
  exploration_ = exploration;
  for (HostId id = 0; id < hosts_.size(); ++id) update_head(id);
}

void Frontier::set_fatigue(const Url& url, double fatigue) {
  const HostId id = host_of(url);
  if (hosts_[id].fatigue == fatigue) return;
  hosts_[id].fatigue = fatigue;
  save_host(id, name_without_dot(url));
  if (exploration_.is_on()) update_head(id);
}

// Lets a link wait, instead of the worst one if the frontier is full. False: there is no room for
// it.
bool Frontier::admit(uint64_t fingerprint, HostId id, const Rank& rank) {
  Host& host = hosts_[id];
  if (quotas_.is_used_up(id)) return false;
  if (options_.max_waiting > 0 && waiting_.size() >= options_.max_waiting) {
    const Slot worst = waiting_.worst();
    if (!(rank < waiting_.rank(worst))) return false;
    forget(worst);
  }
  const Slot slot = waiting_.add(host.queue, id, fingerprint, rank);
  known_.insert_or_assign(Seen(fingerprint), Fate::waits(slot));
  if (head(id) == slot || exploration_.is_on()) update_head(id);
  return true;
}

void Frontier::remove(Slot slot) {
  const HostId id = waiting_.host(slot);
  waiting_.remove(hosts_[id].queue, slot);
  update_head(id);
}

void Frontier::forget(Slot slot) {
  links_.erase(waiting_.sequence(slot));
  known_.erase(Seen(waiting_.fingerprint(slot)));
  remove(slot);
}

void Frontier::set_score(Slot slot, const Score& score, const Trail& trail) {
  const HostId id = waiting_.host(slot);
  waiting_.set_score(hosts_[id].queue, slot, score);
  links_.set_score(waiting_.sequence(slot), score, trail);
  update_head(id);
}

void Frontier::change_score(Slot slot, const Score& score) {
  const HostId id = waiting_.host(slot);
  waiting_.set_score(hosts_[id].queue, slot, score);
  links_.set_score(waiting_.sequence(slot), score);
  update_head(id);
}

void Frontier::prefetch(std::span<const uint64_t> fingerprints) const {
  for (const uint64_t fingerprint : fingerprints) known_.prefetch(Seen(fingerprint));
  for (const uint64_t fingerprint : fingerprints) {
    const auto known = known_.find(Seen(fingerprint));
    if (known != known_.end() && known->second.is_waiting()) {
      waiting_.prefetch(known->second.slot());
    }
  }
}

Frontier::Offer Frontier::offer(const Url& url, uint64_t fingerprint, const Score& score,
                                const Trail& trail) {
  if (const auto known = known_.find(Seen(fingerprint)); known != known_.end()) {
    if (!known->second.is_waiting()) return Offer::kVisited;
    const Slot slot = known->second.slot();
    if (!(score > waiting_.score(slot))) return Offer::kKnown;
    set_score(slot, score, trail);
    return Offer::kRaised;
  }
  if (is_abandoned(url)) return Offer::kRefused;
  const HostId id = host_of(url);
  note_port(id, url);
  if (!admit(fingerprint, id, {score, next_sequence_})) return Offer::kRefused;
  links_.put(next_sequence_++, fingerprint, url, score, trail);
  return Offer::kNew;
}

Candidate Frontier::take_slot(Slot slot) {
  const HostId id = waiting_.host(slot);
  Host& host = hosts_[id];
  const uint64_t sequence = waiting_.sequence(slot);
  const uint64_t fingerprint = waiting_.fingerprint(slot);
  auto [url, trail] = links_.get(sequence);
  Candidate candidate{std::move(url), waiting_.score(slot), trail, sequence};
  quotas_.add_taken(id);
  remove(slot);
  known_.insert_or_assign(Seen(fingerprint), Fate::in_flight());
  flights_.insert_or_assign(fingerprint, Flight{sequence, id, true, candidate.score});
  schedule_.note_taken(id);
  ++host.in_flight;
  if (options_.host_gap > 1) save_host(id, name_without_dot(candidate.url));
  for (const HostId used_up : quotas_.used_up_with(id)) empty_host(used_up);
  return candidate;
}

void Frontier::empty_host(HostId id) {
  // From the back, since removing the last entry of a heap moves no other.
  while (!hosts_[id].queue.empty()) forget(hosts_[id].queue.back().slot);
}

void Frontier::abandon(const Url& url) {
  const HostId id = host_of(url);
  const std::string site = site_of(url);
  abandoned_.insert(hash64(site));
  if (hosts_[id].has_other_ports) {
    std::vector<Slot> slots;
    for (const WaitingLinks::Entry& link : hosts_[id].queue) {
      if (is_abandoned(links_.get(waiting_.sequence(link.slot)).first)) slots.push_back(link.slot);
    }
    for (const Slot slot : slots) forget(slot);
  } else if (hosts_[id].has_port && hosts_[id].port == url.port().value_or(0)) {
    empty_host(id);
  }
  if (site != name_without_dot(url)) links_.set_host(site, {.abandoned = true});
  save_host(id, name_without_dot(url));
}

HostView Frontier::host(std::string_view name) const {
  HostView view;
  const uint64_t fingerprint = hash64(name);
  view.is_left = abandoned_.contains(fingerprint);
  const auto it = host_ids_.find(fingerprint);
  if (it == host_ids_.end()) return view;
  const Host& host = hosts_[it->second];
  view.in_flight = host.in_flight;
  if (host.queue.empty()) return view;
  view.best = waiting_.score(head(it->second));
  view.is_ready = schedule_.is_ready(it->second);
  view.will_be_ready = !view.is_ready && !schedule_.is_resting(it->second);
  return view;
}

std::optional<Candidate> Frontier::take_from(std::string_view name) {
  const auto it = host_ids_.find(hash64(name));
  if (it == host_ids_.end() || hosts_[it->second].queue.empty()) return std::nullopt;
  if (!schedule_.is_ready(it->second)) return std::nullopt;
  return take_slot(head(it->second));
}

void Frontier::leave(std::string_view name) {
  const HostId id = host_named(name);
  if (!abandoned_.insert(hash64(name)).second) return;
  empty_host(id);
  save_host(id, name);
}

std::optional<Candidate> Frontier::take() {
  if (const std::optional<HostId> best = schedule_.best()) return take_slot(head(*best));
  return std::nullopt;
}

std::optional<Score> Frontier::best_score() const {
  if (const std::optional<HostId> best = schedule_.best()) return waiting_.score(head(*best));
  return std::nullopt;
}

std::vector<Candidate> Frontier::take_best(size_t n) {
  std::vector<Candidate> taken;
  std::optional<HostId> best;
  while (taken.size() < n && (best = schedule_.best_of_all()))
    taken.push_back(take_slot(head(*best)));
  return taken;
}

std::optional<Candidate> Frontier::take(const Url& url) {
  if (const std::optional<Slot> slot = find_waiting(url)) return take_slot(*slot);
  return std::nullopt;
}

void Frontier::finish(const Url& url, VisitId id) {
  mark_visited(url);
  const uint64_t fingerprint = seen_fingerprint(url);
  if (const auto it = flights_.find(fingerprint); it != flights_.end()) {
    const Flight flight = it->second;
    flights_.erase(it);
    if (flight.taken) {
      --hosts_[flight.host].in_flight;
      // Another spelling of the address may have another host.
      const bool same_host = find_host(url) == flight.host;
      const Url taken = same_host ? url : links_.get(flight.sequence).first;
      save_host(flight.host, name_without_dot(taken));
    }
    links_.erase(flight.sequence);
  }
  known_.insert_or_assign(Seen(fingerprint), Fate::visited(id));
  links_.set_visited(fingerprint, id);
}

std::optional<VisitId> Frontier::visit_of(const Url& url) const {
  const auto known = known_.find(Seen(seen_fingerprint(url)));
  if (known == known_.end() || known->second.is_waiting() || known->second.is_in_flight()) {
    return std::nullopt;
  }
  return known->second.visit();
}

bool Frontier::mark_visited(const Url& url) {
  const uint64_t fingerprint = seen_fingerprint(url);
  const auto [known, is_new] = known_.try_emplace(Seen(fingerprint), Fate::in_flight());
  if (is_new) return true;
  if (!known->second.is_waiting()) return false;
  const Slot slot = known->second.slot();
  known->second = Fate::in_flight();
  flights_.insert_or_assign(fingerprint, Flight{waiting_.sequence(slot), waiting_.host(slot), false,
                                                waiting_.score(slot)});
  remove(slot);
  return true;
}

bool Frontier::set_score(uint64_t fingerprint, const Score& score) {
  const auto known = known_.find(Seen(fingerprint));
  if (known == known_.end() || !known->second.is_waiting()) return false;
  const Slot slot = known->second.slot();
  if (waiting_.score(slot) == score || waiting_.score(slot) == Score::seed()) return false;
  change_score(slot, score);
  return true;
}

void Frontier::rescore(const std::function<std::optional<Score>(const Candidate&)>& score) {
  std::vector<Slot> slots;
  slots.reserve(waiting_.size());
  for (const Host& host : hosts_) {
    for (const WaitingLinks::Entry& link : host.queue) slots.push_back(link.slot);
  }
  // In the order of offers, so that a strategy with state sees them in an order that repeats.
  std::sort(slots.begin(), slots.end(),
            [&](Slot a, Slot b) { return waiting_.sequence(a) < waiting_.sequence(b); });
  for (const Slot slot : slots) {
    const uint64_t sequence = waiting_.sequence(slot);
    auto [url, trail] = links_.get(sequence);
    const Candidate candidate{std::move(url), waiting_.score(slot), trail, sequence};
    const std::optional<Score> next = score(candidate);
    if (!next) {
      forget(slot);
    } else if (*next != candidate.score) {
      change_score(slot, *next);
    }
  }
}

// A link that was in flight waits again.
void Frontier::wait_again(const Url& url, uint64_t fingerprint, const Flight& flight,
                          const Score& score) {
  known_.erase(Seen(fingerprint));
  if (flight.taken) {
    --hosts_[flight.host].in_flight;
    quotas_.remove_taken(flight.host);
  }
  if (is_abandoned(url) || !admit(fingerprint, flight.host, {score, flight.sequence})) {
    links_.erase(flight.sequence);
  }
  if (exploration_.is_on()) update_head(flight.host);  // it was asked less often
}

void Frontier::put_back(const Candidate& candidate) {
  const uint64_t fingerprint = seen_fingerprint(candidate.url);
  const auto it = flights_.find(fingerprint);
  if (it == flights_.end()) return;
  const Flight flight = it->second;
  flights_.erase(it);
  wait_again(candidate.url, fingerprint, flight, candidate.score);
}

void Frontier::discard(const Candidate& candidate) {
  put_back(candidate);
  if (const std::optional<Slot> slot = find_waiting(candidate.url)) forget(*slot);
}

void Frontier::unmark(const Url& url) {
  const uint64_t fingerprint = seen_fingerprint(url);
  const auto known = known_.find(Seen(fingerprint));
  if (known == known_.end() || !known->second.is_in_flight()) return;
  const auto it = flights_.find(fingerprint);
  if (it == flights_.end()) {
    known_.erase(known);
  } else if (!it->second.taken) {
    const Flight flight = it->second;
    flights_.erase(it);
    wait_again(links_.get(flight.sequence).first, fingerprint, flight, flight.score);
  }
}

bool Frontier::can_reserve(const Url& url) const {
  const std::optional<HostId> id = find_host(url);
  return !id || schedule_.can_reserve(*id);
}

bool Frontier::is_over_limit(const Url& url) const {
  const std::optional<HostId> id = find_host(url);
  return id && schedule_.is_over_limit(*id);
}

void Frontier::note_request(const Url& url, Time now) {
  const HostId id = host_of(url);
  schedule_.hold(id, now + schedule_.delay(id));
  if (schedule_.delay(id) > Duration(0)) save_host(id, name_without_dot(url));
}

Time Frontier::ready_at(const Url& url) const {
  const std::optional<HostId> id = find_host(url);
  return id ? std::max(schedule_.now(), schedule_.ready_at(*id)) : schedule_.now();
}

void Frontier::set_delay(const Url& url, Duration delay) {
  const HostId id = host_of(url);
  schedule_.set_delay(id, delay);
  save_host(id, name_without_dot(url));
}

std::optional<Url> Frontier::first_delayed() const {
  const std::optional<HostId> id = schedule_.first_delayed();
  if (!id) return std::nullopt;
  return links_.get(waiting_.sequence(head(*id))).first;
}

Duration Frontier::delay_of(const Url& url) const {
  const std::optional<HostId> id = find_host(url);
  return id ? schedule_.delay(*id) : options_.delay;
}

void Frontier::hold(const Url& url, Time until) {
  const HostId id = host_of(url);
  schedule_.hold(id, until);
  save_host(id, name_without_dot(url));
}

size_t Frontier::memory_bytes() const {
  size_t queues = 0;
  for (const Host& host : hosts_) queues += host.queue.capacity() * sizeof(WaitingLinks::Entry);
  return queues + hosts_.capacity() * sizeof(Host) + waiting_.memory_bytes() +
         schedule_.memory_bytes() + quotas_.memory_bytes() +
         host_ids_.capacity() * (sizeof(std::pair<uint64_t, HostId>) + 1) +
         abandoned_.capacity() * (sizeof(uint64_t) + 1) +
         known_.capacity() * (sizeof(std::pair<Seen, Fate>) + 1) +
         flights_.capacity() * (sizeof(std::pair<uint64_t, Flight>) + 1);
}

}  // namespace dowser
