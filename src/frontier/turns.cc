#include "frontier/turns.h"

#include <algorithm>

#include "base/hash.h"

namespace dowser {

HostId Turns::add_host() {
  hosts_.emplace_back().delay = options_.delay;
  return static_cast<HostId>(hosts_.size() - 1);
}

// A host that wants time between two requests gets them one after the other: two under way at once
// could arrive there closer to each other than they were sent.
bool Turns::is_full(const Host& host) const {
  if (options_.max_connections == 0) return false;
  return host.errands >= (host.delay > Duration(0) ? 1 : options_.max_connections);
}

bool Turns::is_crowded(HostId id) const {
  const Host& host = hosts_[id];
  return options_.max_per_address > 0 && host.address != kNoAddress &&
         addresses_[host.address].errands > options_.max_per_address;
}

bool Turns::is_address_full(const Host& host) const {
  return host.address != kNoAddress && addresses_[host.address].errands >= options_.max_per_address;
}

Turns::Place Turns::place_of(const Host& host) const {
  if (!host.has_head || host.blocks > 0 || is_full(host)) return Place::kNowhere;
  if (host.ready_at > now_) return Place::kDelayed;
  return is_resting(host) ? Place::kResting : Place::kReady;
}

void Turns::take_out(HostId id) {
  Host& host = hosts_[id];
  switch (host.place) {
    case Place::kNowhere:
      break;
    case Place::kDelayed:
      delayed_.erase({host.ready_at, id});
      break;
    case Place::kResting:
      resting_.erase({host.head, id});
      break;
    case Place::kReady:
      if (host.address == kNoAddress) {
        ready_.erase({host.head, id});
      } else {
        addresses_[host.address].ready.erase({host.head, id});
        show(addresses_[host.address]);
      }
  }
  host.place = Place::kNowhere;
}

void Turns::put_in(HostId id) {
  Host& host = hosts_[id];
  host.place = place_of(host);
  switch (host.place) {
    case Place::kNowhere:
      break;
    case Place::kDelayed:
      delayed_.insert({host.ready_at, id});
      break;
    case Place::kResting:
      resting_.insert({host.head, id});
      break;
    case Place::kReady:
      if (host.address == kNoAddress) {
        ready_.insert({host.head, id});
      } else {
        addresses_[host.address].ready.insert({host.head, id});
        show(addresses_[host.address]);
      }
  }
}

void Turns::show(Address& address) {
  std::optional<Line::value_type> best;
  if (!address.ready.empty() && address.errands < options_.max_per_address) {
    best = *address.ready.begin();
  }
  if (best == address.in_ready) return;
  if (address.in_ready) ready_.erase(*address.in_ready);
  if (best) ready_.insert(*best);
  address.in_ready = best;
}

void Turns::set_head(HostId id, const std::optional<Rank>& head) {
  Host& host = hosts_[id];
  if (host.has_head == head.has_value() && (!head || *head == host.head)) return;
  take_out(id);
  active_ += head.has_value();
  active_ -= host.has_head;
  host.has_head = head.has_value();
  host.head = head.value_or(Rank{});
  put_in(id);
}

// The gap gives way only where nothing else could ever go.
std::optional<HostId> Turns::best() const {
  if (!ready_.empty()) return ready_.begin()->second;
  if (delayed_.empty() && errands_ == 0 && !resting_.empty()) return resting_.begin()->second;
  return std::nullopt;
}

std::optional<HostId> Turns::best_of_all() const {
  std::optional<Line::value_type> best, best_resting;
  const auto improve = [](std::optional<Line::value_type>& on, const Line::value_type& by) {
    if (!on || by < *on) on = by;
  };
  if (!ready_.empty()) best = *ready_.begin();
  if (!resting_.empty()) best_resting = *resting_.begin();
  // Delayed hosts are not ordered by their heads; a batch is rare enough to look at each of them.
  for (const auto& [time, id] : delayed_) {
    const Host& host = hosts_[id];
    if (!is_address_full(host)) improve(is_resting(host) ? best_resting : best, {host.head, id});
  }
  if (best) return best->second;
  if (best_resting && errands_ == 0) return best_resting->second;
  return std::nullopt;
}

void Turns::note_taken(HostId id) {
  const uint64_t take = takes_++;
  if (options_.host_gap < 2) return;
  take_out(id);
  hosts_[id].rests_until = take + options_.host_gap;
  rests_.emplace_back(hosts_[id].rests_until, id);
  put_in(id);
  while (rests_.front().first <= takes_) {
    take_out(rests_.front().second);
    put_in(rests_.front().second);
    rests_.pop_front();
  }
}

void Turns::set_time(Time now) {
  now_ = std::max(now_, now);
  while (!delayed_.empty() && delayed_.begin()->first <= now_) {
    const HostId id = delayed_.begin()->second;
    take_out(id);
    put_in(id);
  }
}

std::optional<Time> Turns::next_ready() const {
  if (best()) return now_;
  if (!delayed_.empty()) return delayed_.begin()->first;
  return std::nullopt;
}

void Turns::enter(HostId id) {
  take_out(id);
  ++hosts_[id].errands;
  ++errands_;
  if (const AddressId at = hosts_[id].address; at != kNoAddress) {
    ++addresses_[at].errands;
    show(addresses_[at]);
  }
  put_in(id);
}

void Turns::leave(HostId id) {
  take_out(id);
  --hosts_[id].errands;
  --errands_;
  if (const AddressId at = hosts_[id].address; at != kNoAddress) {
    --addresses_[at].errands;
    show(addresses_[at]);
  }
  put_in(id);
}

void Turns::set_address(HostId id, std::string_view address) {
  if (options_.max_per_address == 0) return;
  const auto [it, added] =
      address_ids_.try_emplace(hash64(address), static_cast<AddressId>(addresses_.size()));
  if (added) addresses_.emplace_back();
  const AddressId before = hosts_[id].address;
  if (before == it->second) return;
  take_out(id);
  if (before != kNoAddress) {
    addresses_[before].errands -= hosts_[id].errands;
    show(addresses_[before]);
  }
  hosts_[id].address = it->second;
  addresses_[it->second].errands += hosts_[id].errands;
  show(addresses_[it->second]);
  put_in(id);
}

void Turns::block(HostId id) {
  take_out(id);
  ++hosts_[id].blocks;
  put_in(id);
}

void Turns::unblock(HostId id) {
  take_out(id);
  --hosts_[id].blocks;
  put_in(id);
}

void Turns::set_delay(HostId id, Duration delay) {
  take_out(id);  // a host with a delay has one place
  hosts_[id].delay = std::max(options_.delay, delay);
  put_in(id);
}

void Turns::hold(HostId id, Time until) {
  if (until <= hosts_[id].ready_at) return;
  take_out(id);
  hosts_[id].ready_at = until;
  put_in(id);
}

size_t Turns::memory_bytes() const {
  // What a tree takes cannot be asked; its nodes are at least half full.
  const size_t in_addresses = options_.max_per_address > 0 ? hosts_.size() : 0;
  return hosts_.capacity() * sizeof(Host) + addresses_.capacity() * sizeof(Address) +
         address_ids_.capacity() * (sizeof(std::pair<uint64_t, AddressId>) + 1) +
         (ready_.size() + resting_.size() + in_addresses) * 2 * sizeof(Line::value_type) +
         delayed_.size() * 2 * sizeof(std::pair<Time, HostId>) +
         rests_.size() * sizeof(std::pair<uint64_t, HostId>);
}

}  // namespace dowser
