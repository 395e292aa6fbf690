#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "base/clock.h"
#include "model/url_canonical.h"
#include "model/visit.h"

// What is known and waits, and what may go now. Links are offered with a score; the best one whose
// host may be asked at this moment is taken. One thread owns it: no locks.
//
//   - The one merge rule: a link that is offered again keeps its best score, with the trail of that
//   offer.
//   - Among equal scores the one that was offered first goes first.
//   - A link that was once taken, or marked as visited, is never taken again (by its seen key).
//   - A host is asked again only `delay` after its last request, by max_connections at a time, and
//     max_per_host times at most.
//
// Each host keeps its waiting links in order; the hosts that may go are ordered by the head of
// their queue, the others by the time they may. All operations are O(log n), rescore() O(n log n).

namespace dowser {

struct FrontierOptions {
  Duration delay{0};        // between two requests to a host
  size_t max_waiting = 0;   // a full frontier keeps the best; 0 = no limit
  size_t max_per_host = 0;  // links taken of one host; 0 = no limit
  size_t max_connections =
      0;                 // errands at a host at a time, one where it has a delay; 0 = no limit
  CanonicalRules rules;  // what counts as the same address
};

class Frontier {
 public:
  enum class Offer {
    kNew,      // waits now
    kRaised,   // waited before, with a lower score
    kKnown,    // waits with a score as good
    kVisited,  // was taken before
    kRefused,  // the frontier or the host's share is full
  };

  explicit Frontier(FrontierOptions options) : options_(std::move(options)) {}

  Offer offer(const Url& url, const Score& score, const Trail& trail);

  // The best waiting link that may go now, if any; it then counts as visited.
  std::optional<Candidate> take();

  // The `n` best waiting links, also of hosts that may not go now: the caller waits with each until
  // ready_at() of it. For strategies that choose in batches.
  std::vector<Candidate> take_best(size_t n);

  // Marks an address that was reached without being taken, as by a redirect. False: it was visited
  // before.
  bool mark_visited(const Url& url);

  // Revision of what waits.
  bool raise(const Url& url, const Score& score);  // false: does not wait, or has a score as good
  bool drop(const Url& url);                       // it may be offered again
  // Gives every waiting link a new score; nothing = drop it.
  void rescore(const std::function<std::optional<Score>(const Candidate&)>& score);

  // A taken link whose fetch failed waits again, with the score it had.
  void put_back(const Candidate& candidate);

  // Time, told by the engine. It never goes back.
  void set_time(Time now);
  // When the first waiting link may go; nothing where nothing waits, or only for a place at its
  // host.
  std::optional<Time> next_ready() const;

  // Politeness. An errand enters the host it goes to and leaves it when it is done there; while it
  // is there, each of its requests is noted.
  void enter(const Url& url);
  void leave(const Url& url);
  bool has_place(const Url& url) const;  // fewer than max_connections are there
  void note_request(const Url& url, Time now);
  // When the host of `url` may be asked next.
  Time ready_at(const Url& url) const;
  // The least time between two requests to this host, where it is more than the usual.
  void set_delay(const Url& url, Duration delay);
  // The host must not be asked before that time.
  void hold(const Url& url, Time until);

  size_t waiting() const { return waiting_; }
  size_t known() const { return known_.size(); }
  size_t hosts() const { return hosts_.size(); }

 private:
  using Slot = uint32_t;
  using HostId = uint32_t;
  static constexpr Slot kVisitedSlot = UINT32_MAX;
  static constexpr Slot kDroppedSlot = UINT32_MAX - 1;

  // Best first: falling score, then rising order of offers.
  struct Key {
    Score score;
    uint64_t sequence;
    Slot slot;
    friend bool operator<(const Key& a, const Key& b) {
      if (a.score != b.score) return a.score > b.score;
      return a.sequence < b.sequence;
    }
  };
  struct Entry {
    Candidate candidate;
    uint64_t fingerprint = 0;
    uint64_t sequence = 0;
    HostId host = 0;
  };
  struct Host {
    absl::btree_set<Key> waiting;
    Time ready_at{INT64_MIN};
    Duration delay{0};
    uint32_t errands = 0;  // there at present
    size_t taken = 0;
    // Where this host stands at present: in ready_, in delayed_, or in neither.
    std::optional<Key> in_ready;
    std::optional<Time> in_delayed;
  };

  HostId host_of(const Url& url);
  const Host* find_host(const Url& url) const;
  bool is_full(const Host& host) const;
  Key key_of(Slot slot) const;
  void insert(Slot slot);
  Entry remove(Slot slot);
  void place(HostId id);  // puts the host where its head and its time say
  Candidate visit(Slot slot);
  void close_host(HostId id);

  FrontierOptions options_;
  Time now_{INT64_MIN};
  uint64_t sequence_ = 0;
  size_t waiting_ = 0;

  std::vector<Entry> entries_;
  std::vector<Slot> free_;
  absl::flat_hash_map<uint64_t, Slot> known_;  // by fingerprint of the seen key
  std::vector<Host> hosts_;
  absl::flat_hash_map<uint64_t, HostId> host_ids_;  // by fingerprint of the host
  absl::btree_set<std::pair<Key, HostId>> ready_;
  absl::btree_set<std::pair<Time, HostId>> delayed_;
  absl::btree_set<Key> all_;  // only where max_waiting is set: the worst is at the end
};

}  // namespace dowser
