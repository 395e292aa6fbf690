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

// Whose turn is it? Hosts in the order of the best link that waits at each, and when each may be
// asked. A host with a waiting link stands in one of four places:
//
//   ready    it may go now
//   delayed  its time has not come
//   resting  too few others were taken since it was (host_gap)
//   nowhere  as many errands are there as may be, or it is blocked: it comes back when one leaves,
//            or when it is unblocked
//
// Hosts at one address share its places, so an address has a ready set of its own, and stands in
// the set of all by its best host, or not at all while it is full. Every change takes the host out
// of its place and puts it where it now belongs: O(log n), however many hosts share an address.

namespace dowser {

struct TurnOptions {
  Duration delay{0};           // between two requests to a host
  size_t max_connections = 0;  // errands at a host, one where it has a delay; 0 = no limit
  size_t max_per_address = 0;  // errands at the hosts of an address together; 0 = no limit
  size_t host_gap = 0;         // no host twice within so many takes
};

class Turns {
 public:
  explicit Turns(const TurnOptions& options) : options_(options) {}

  HostId add_host();  // 0, 1, 2, …
  // The best link that waits at the host now, if any.
  void set_head(HostId id, const std::optional<Rank>& head);

  // The host whose head goes next; and the same where delays count for nothing.
  std::optional<HostId> best() const;
  std::optional<HostId> best_of_all() const;
  void note_taken(HostId id);

  void set_time(Time now);
  std::optional<Time> next_ready() const;

  void enter(HostId id);
  void leave(HostId id);
  bool has_place(HostId id) const { return !is_full(hosts_[id]) && !is_address_full(hosts_[id]); }
  void set_address(HostId id, std::string_view address);
  // A blocked host is not offered until it is unblocked as often as it was blocked.
  void block(HostId id);
  void unblock(HostId id);
  // More errands are at the address of the host than it has places: they entered before it was
  // known.
  bool is_crowded(HostId id) const;

  void set_delay(HostId id, Duration delay);  // never less than the usual
  void hold(HostId id, Time until);
  Duration delay(HostId id) const { return hosts_[id].delay; }
  Time ready_at(HostId id) const { return hosts_[id].ready_at; }  // may be past
  Time now() const { return now_; }

  size_t hosts() const { return hosts_.size(); }
  size_t hosts_active() const { return active_; }  // with something waiting
  size_t memory_bytes() const;

 private:
  using AddressId = uint32_t;
  static constexpr AddressId kNoAddress = UINT32_MAX;
  enum class Place : uint8_t { kNowhere, kReady, kDelayed, kResting };
  using Line = absl::btree_set<std::pair<Rank, HostId>>;  // the first goes first

  struct Host {
    Rank head;
    Time ready_at{INT64_MIN};
    Duration delay{0};
    uint64_t rests_until = 0;  // so many takes
    uint32_t errands = 0;      // there at present
    AddressId address = kNoAddress;
    uint16_t blocks = 0;
    bool has_head = false;
    Place place = Place::kNowhere;
  };
  struct Address {
    Line ready;
    uint32_t errands = 0;
    std::optional<Line::value_type> in_ready;  // who stands for it in ready_
  };

  bool is_full(const Host& host) const;
  bool is_address_full(const Host& host) const;
  bool is_resting(const Host& host) const { return takes_ < host.rests_until; }
  Place place_of(const Host& host) const;
  void take_out(HostId id);
  void put_in(HostId id);
  void show(Address& address);

  const TurnOptions options_;
  Time now_{INT64_MIN};
  uint64_t takes_ = 0;
  size_t errands_ = 0;  // at all hosts
  size_t active_ = 0;

  std::vector<Host> hosts_;
  Line ready_;
  absl::btree_set<std::pair<Time, HostId>> delayed_;
  Line resting_;
  std::deque<std::pair<uint64_t, HostId>> rests_;  // when they end; as many as host_gap
  std::vector<Address> addresses_;
  absl::flat_hash_map<uint64_t, AddressId> address_ids_;  // by fingerprint of the address
};

}  // namespace dowser
