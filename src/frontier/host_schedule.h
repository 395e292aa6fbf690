#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "base/clock.h"
#include "frontier/rank.h"

// Which host may be asked next, and when. Hosts are ordered by the best link that waits at each. A
// host with a waiting link is in one of four states:
//
// clang-format off
//   ready        it may be asked now
//   delayed      the delay after its last request is not over
//   resting      it was asked too recently: fewer than host_gap links were taken since
//   unavailable  all its connections are in use, or it is blocked; it becomes available when a
//                connection is released, or when it is unblocked
// clang-format on
//
// Hosts at one IP address share the connections of the address. So each address has a ready set of
// its own, and is represented in the set of all ready hosts by its best host, or not at all while
// all its connections are in use. Every change removes the host from the set of its state and
// inserts it where it now belongs: O(log n), however many hosts share an address.

namespace dowser {

struct HostScheduleOptions {
  Duration delay{0};           // between two requests to a host
  size_t max_connections = 0;  // to a host; one if the host has a delay; 0: no limit
  size_t max_per_address = 0;  // to all hosts of an IP address together; 0: no limit
  size_t host_gap = 0;         // at least this many links are taken between two of the same host
};

class HostSchedule {
 public:
  explicit HostSchedule(const HostScheduleOptions& options) : options_(options) {}

  HostId add_host();  // returns 0, 1, 2, …
  // The best link that waits at the host now, if any.
  void set_head(HostId id, const std::optional<Rank>& head);

  // The host whose best link is next; best_of_all() ignores delays.
  std::optional<HostId> best() const;
  std::optional<HostId> best_of_all() const;
  // Whether the host has a waiting link that may be taken now; is resting, with a waiting link.
  bool is_ready(HostId id) const { return hosts_[id].state == State::kReady && can_reserve(id); }
  bool is_resting(HostId id) const { return hosts_[id].state == State::kResting; }
  void note_taken(HostId id);
  // A host rests until this many links have been taken in all (host_gap). load() of the frontier
  // sets it again, in any order of hosts.
  uint64_t rests_until(HostId id) const { return hosts_[id].rests_until; }
  void set_rests_until(HostId id, uint64_t takes);

  void set_time(Time now);
  std::optional<Time> next_ready() const;
  std::optional<Time> next_delayed() const {
    if (delayed_.empty()) return std::nullopt;
    return delayed_.begin()->first;
  }

  std::optional<HostId> first_delayed() const {
    if (delayed_.empty()) return std::nullopt;
    return delayed_.begin()->second;
  }

  // A connection to the host is reserved before a request is sent, and released after the answer.
  void reserve(HostId id);
  void release(HostId id);
  bool can_reserve(HostId id) const { return !is_full(hosts_[id]) && !is_address_full(hosts_[id]); }
  void set_address(HostId id, std::string_view address);
  // No link of a blocked host is next until it is unblocked as often as it was blocked.
  void block(HostId id);
  void unblock(HostId id);
  // More connections to the IP address of the host are reserved than allowed: some were reserved
  // before the address was known.
  bool is_over_limit(HostId id) const;

  void set_delay(HostId id, Duration delay);  // at least that of the options
  void hold(HostId id, Time until);
  // Each host, also one that is added later, is first asked one delay after `from`.
  void hold_all(Time from);
  Duration delay(HostId id) const { return hosts_[id].delay; }
  Time ready_at(HostId id) const { return hosts_[id].ready_at; }  // may be in the past
  Time now() const { return now_; }

  size_t hosts() const { return hosts_.size(); }
  size_t hosts_active() const { return active_; }  // with something waiting
  size_t memory_bytes() const;

 private:
  using AddressId = uint32_t;
  static constexpr AddressId kNoAddress = UINT32_MAX;
  enum class State : uint8_t { kUnavailable, kReady, kDelayed, kResting };
  using Queue = absl::btree_set<std::pair<Rank, HostId>>;  // the best first

  struct Host {
    Rank head;
    Time ready_at{INT64_MIN};
    Duration delay{0};
    uint64_t rests_until = 0;  // number of links taken in all
    uint32_t connections = 0;  // reserved
    AddressId address = kNoAddress;
    uint16_t blocks = 0;
    bool has_head = false;
    State state = State::kUnavailable;
  };
  struct Address {
    Queue ready;
    uint32_t connections = 0;                   // reserved
    std::optional<Queue::value_type> in_ready;  // its best host, if that is in ready_
  };

  bool is_full(const Host& host) const;
  bool is_address_full(const Host& host) const;
  bool is_resting(const Host& host) const { return takes_ < host.rests_until; }
  State state_of(const Host& host) const;
  void dequeue(HostId id);
  void enqueue(HostId id);
  void update_ready(Address& address);

  const HostScheduleOptions options_;
  Time now_{INT64_MIN};
  uint64_t takes_ = 0;      // number of links taken so far
  size_t connections_ = 0;  // reserved, to all hosts
  std::optional<Time> held_from_;
  size_t active_ = 0;

  std::vector<Host> hosts_;
  Queue ready_;
  absl::btree_set<std::pair<Time, HostId>> delayed_;
  Queue resting_;
  std::deque<std::pair<uint64_t, HostId>> rests_;  // when each rest ends; at most host_gap of them
  std::vector<Address> addresses_;
  absl::flat_hash_map<uint64_t, AddressId> address_ids_;  // by fingerprint of the address
};

}  // namespace dowser
