#include "frontier/host_schedule.h"

#include <algorithm>

#include "base/hash.h"
#include "model/network.h"

namespace dowser {

HostId HostSchedule::add_host() {
  Host& host = hosts_.emplace_back();
  host.delay = options_.delay;
  if (held_from_) host.ready_at = *held_from_ + host.delay;
  return static_cast<HostId>(hosts_.size() - 1);
}

// A host with a delay gets one request at a time: two that are in flight together could arrive
// there closer to each other than they were sent.
bool HostSchedule::is_full(const Host& host) const {
  if (options_.max_connections == 0) return false;
  return host.connections >= (host.delay > Duration(0) ? 1 : options_.max_connections);
}

bool HostSchedule::is_over_limit(HostId id) const {
  const Host& host = hosts_[id];
  return options_.max_per_address > 0 && host.address != kNoAddress &&
         addresses_[host.address].connections > options_.max_per_address;
}

bool HostSchedule::is_address_full(const Host& host) const {
  return host.address != kNoAddress &&
         addresses_[host.address].connections >= options_.max_per_address;
}

HostSchedule::State HostSchedule::state_of(const Host& host) const {
  if (!host.has_head || host.blocks > 0 || is_full(host)) return State::kUnavailable;
  if (host.ready_at > now_) return State::kDelayed;
  return is_resting(host) ? State::kResting : State::kReady;
}

void HostSchedule::dequeue(HostId id) {
  Host& host = hosts_[id];
  switch (host.state) {
    case State::kUnavailable:
      break;
    case State::kDelayed:
      delayed_.erase({host.ready_at, id});
      break;
    case State::kResting:
      resting_.erase({host.head, id});
      break;
    case State::kReady:
      if (host.address == kNoAddress) {
        ready_.erase({host.head, id});
      } else {
        addresses_[host.address].ready.erase({host.head, id});
        update_ready(addresses_[host.address]);
      }
  }
  host.state = State::kUnavailable;
}

void HostSchedule::enqueue(HostId id) {
  Host& host = hosts_[id];
  host.state = state_of(host);
  switch (host.state) {
    case State::kUnavailable:
      break;
    case State::kDelayed:
      delayed_.insert({host.ready_at, id});
      break;
    case State::kResting:
      resting_.insert({host.head, id});
      break;
    case State::kReady:
      if (host.address == kNoAddress) {
        ready_.insert({host.head, id});
      } else {
        addresses_[host.address].ready.insert({host.head, id});
        update_ready(addresses_[host.address]);
      }
  }
}

void HostSchedule::update_ready(Address& address) {
  std::optional<Queue::value_type> best;
  if (!address.ready.empty() && address.connections < options_.max_per_address) {
    best = *address.ready.begin();
  }
  if (best == address.in_ready) return;
  if (address.in_ready) ready_.erase(*address.in_ready);
  if (best) ready_.insert(*best);
  address.in_ready = best;
}

void HostSchedule::set_head(HostId id, const std::optional<Rank>& head) {
  Host& host = hosts_[id];
  if (host.has_head == head.has_value() && (!head || *head == host.head)) return;
  dequeue(id);
  active_ += head.has_value();
  active_ -= host.has_head;
  host.has_head = head.has_value();
  host.head = head.value_or(Rank{});
  enqueue(id);
}

// A resting host is asked only if nothing else will ever become ready.
std::optional<HostId> HostSchedule::best() const {
  if (!ready_.empty()) return ready_.begin()->second;
  if (delayed_.empty() && connections_ == 0 && !resting_.empty()) return resting_.begin()->second;
  return std::nullopt;
}

std::optional<HostId> HostSchedule::best_of_all() const {
  std::optional<Queue::value_type> best, best_resting;
  const auto improve = [](std::optional<Queue::value_type>& on, const Queue::value_type& by) {
    if (!on || by < *on) on = by;
  };
  if (!ready_.empty()) best = *ready_.begin();
  if (!resting_.empty()) best_resting = *resting_.begin();
  // Delayed hosts are not ordered by their heads; batches are rare, so each host is looked at.
  for (const auto& [time, id] : delayed_) {
    const Host& host = hosts_[id];
    if (!is_address_full(host)) improve(is_resting(host) ? best_resting : best, {host.head, id});
  }
  if (best) return best->second;
  if (best_resting && connections_ == 0) return best_resting->second;
  return std::nullopt;
}

void HostSchedule::note_taken(HostId id) {
  const uint64_t take = takes_++;
  if (options_.host_gap < 2) return;
  dequeue(id);
  hosts_[id].rests_until = take + options_.host_gap;
  rests_.emplace_back(hosts_[id].rests_until, id);
  enqueue(id);
  while (rests_.front().first <= takes_) {
    dequeue(rests_.front().second);
    enqueue(rests_.front().second);
    rests_.pop_front();
  }
}

void HostSchedule::set_rests_until(HostId id, uint64_t takes) {
  if (options_.host_gap < 2 || takes == 0) return;
  dequeue(id);
  hosts_[id].rests_until = takes;
  enqueue(id);
  const std::pair rest(takes, id);
  rests_.insert(std::upper_bound(rests_.begin(), rests_.end(), rest), rest);
  // The link taken last set the highest number.
  takes_ = std::max(takes_, takes - std::min<uint64_t>(takes, options_.host_gap) + 1);
  while (!rests_.empty() && rests_.front().first <= takes_) {
    dequeue(rests_.front().second);
    enqueue(rests_.front().second);
    rests_.pop_front();
  }
}

void HostSchedule::set_time(Time now) {
  now_ = std::max(now_, now);
  while (!delayed_.empty() && delayed_.begin()->first <= now_) {
    const HostId id = delayed_.begin()->second;
    dequeue(id);
    enqueue(id);
  }
}

std::optional<Time> HostSchedule::next_ready() const {
  if (best()) return now_;
  if (!delayed_.empty()) return delayed_.begin()->first;
  return std::nullopt;
}

void HostSchedule::reserve(HostId id) {
  dequeue(id);
  ++hosts_[id].connections;
  ++connections_;
  if (const AddressId at = hosts_[id].address; at != kNoAddress) {
    ++addresses_[at].connections;
    update_ready(addresses_[at]);
  }
  enqueue(id);
}

void HostSchedule::release(HostId id) {
  dequeue(id);
  --hosts_[id].connections;
  --connections_;
  if (const AddressId at = hosts_[id].address; at != kNoAddress) {
    --addresses_[at].connections;
    update_ready(addresses_[at]);
  }
  enqueue(id);
}

void HostSchedule::set_address(HostId id, std::string_view address) {
  if (options_.max_per_address == 0) return;
  const auto [it, added] = address_ids_.try_emplace(hash64(network_of(address)),
                                                    static_cast<AddressId>(addresses_.size()));
  if (added) addresses_.emplace_back();
  const AddressId before = hosts_[id].address;
  if (before == it->second) return;
  dequeue(id);
  if (before != kNoAddress) {
    addresses_[before].connections -= hosts_[id].connections;
    update_ready(addresses_[before]);
  }
  hosts_[id].address = it->second;
  addresses_[it->second].connections += hosts_[id].connections;
  update_ready(addresses_[it->second]);
  enqueue(id);
}

void HostSchedule::block(HostId id) {
  dequeue(id);
  ++hosts_[id].blocks;
  enqueue(id);
}

void HostSchedule::unblock(HostId id) {
  dequeue(id);
  --hosts_[id].blocks;
  enqueue(id);
}

void HostSchedule::set_delay(HostId id, Duration delay) {
  dequeue(id);  // a host with a delay has one connection
  hosts_[id].delay = std::max(options_.delay, delay);
  enqueue(id);
}

void HostSchedule::hold(HostId id, Time until) {
  if (until <= hosts_[id].ready_at) return;
  dequeue(id);
  hosts_[id].ready_at = until;
  enqueue(id);
}

void HostSchedule::hold_all(Time from) {
  held_from_ = from;
  for (HostId id = 0; id < hosts_.size(); ++id) hold(id, from + hosts_[id].delay);
}

size_t HostSchedule::memory_bytes() const {
  // An estimate for the trees, whose nodes are at least half full.
  const size_t in_addresses = options_.max_per_address > 0 ? hosts_.size() : 0;
  return hosts_.capacity() * sizeof(Host) + addresses_.capacity() * sizeof(Address) +
         address_ids_.capacity() * (sizeof(std::pair<uint64_t, AddressId>) + 1) +
         (ready_.size() + resting_.size() + in_addresses) * 2 * sizeof(Queue::value_type) +
         delayed_.size() * 2 * sizeof(std::pair<Time, HostId>) +
         rests_.size() * sizeof(std::pair<uint64_t, HostId>);
}

}  // namespace dowser
