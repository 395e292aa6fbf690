#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "base/clock.h"
#include "frontier/link_store.h"
#include "frontier/turns.h"
#include "frontier/waiting_links.h"
#include "model/url_canonical.h"
#include "model/url_host.h"
#include "model/visit.h"

// What is known and waits, and what may go now. Links are offered with a score; the best one whose
// host may be asked at this moment is taken. One thread owns it: no locks.
//
//   - The one merge rule: a link that is offered again keeps its best score, with the trail of that
//     offer.
//   - Among equal scores the one that was offered first goes first.
//   - A link that was once taken, or marked as visited, is never taken again (by its seen key).
//   - A host is one host whatever the port, and with or without a dot behind its name.
//   - A host is asked again only `delay` after its last request, by max_connections at a time, and
//     max_per_host times at most.
//   - What was taken and not finished when the crawl died waits again after load().
//
// Each host keeps its waiting links in order (WaitingLinks); the hosts that may go are ordered by
// the head of their queue (Turns). Addresses and trails stand in a LinkStore, through which every
// change is written; here a known address takes 60 to 80 bytes. All operations are O(log n),
// rescore() O(n log n).

namespace dowser {

struct FrontierOptions {
  Duration delay{0};           // between two requests to a host
  size_t max_waiting = 0;      // a full frontier keeps the best; 0 = no limit
  size_t max_per_host = 0;     // links taken of one host; 0 = no limit
  size_t max_connections = 0;  // errands at a host, one where it has a delay; 0 = no limit
  size_t max_per_address = 0;  // errands at the hosts of one IP address; 0 = no limit
  // No host is taken twice within so many takes, unless nothing else could ever go: nothing is
  // ready or delayed and no errand is under way. A loaded frontier starts to count anew.
  size_t host_gap = 0;
};

class Frontier {
 public:
  enum class Offer {
    kNew,      // waits now
    kRaised,   // waited before, with a lower score
    kKnown,    // waits with a score as good
    kVisited,  // was taken before
    kRefused,  // the frontier or the host's share is full, or the host was given up
  };

  explicit Frontier(FrontierOptions options);           // links wait in memory
  Frontier(FrontierOptions options, LinkStore& links);  // which outlives it
  Frontier(const Frontier&) = delete;
  Frontier& operator=(const Frontier&) = delete;

  // Goes on where the frontier that wrote the store stopped. Before anything else.
  void load();

  Offer offer(const Url& url, const Score& score, const Trail& trail) {
    return offer(url, seen_fingerprint(url), score, trail);
  }
  Offer offer(const Url& url, uint64_t fingerprint, const Score& score, const Trail& trail);

  // The best waiting link that may go now, if any; it then counts as visited.
  std::optional<Candidate> take();

  // The score of what take() would take.
  std::optional<Score> best_score() const;

  // The `n` best waiting links, also of hosts that may not go now: the caller waits with each until
  // ready_at() of it. For strategies that choose in batches.
  std::vector<Candidate> take_best(size_t n);

  // This very link, also of a host that may not go now; nothing where it does not wait. For
  // strategies that choose by themselves.
  std::optional<Candidate> take(const Url& url);

  // What was taken, or reached by a redirect, became this visit.
  void finish(const Url& url, VisitId id);
  std::optional<VisitId> visit_of(const Url& url) const;
  bool is_known(uint64_t fingerprint) const {  // waits, or was visited
    return known_.contains(Seen(fingerprint));
  }

  // A taken link whose fetch failed waits again, with the score and at the place it had.
  void put_back(const Candidate& candidate);

  // Marks an address that was reached without being taken, as by a redirect. False: it was visited
  // before.
  bool mark_visited(const Url& url);
  // Takes that back: what was only marked, and not finished, waits again if it did before.
  void unmark(const Url& url);

  // Revision of what waits.
  bool raise(const Url& url, const Score& score);  // false: does not wait, or has a score as good
  bool drop(const Url& url);                       // it may be offered again
  // Sets the score of what waits under this fingerprint, the hash64 of its seen key; lower or
  // higher. False: nothing waits there, or with this very score.
  bool set_score(uint64_t fingerprint, const Score& score);
  // They will be offered or asked for soon: the processor may begin to bring what is known of them,
  // all at once. To wait for memory is most of what an offer costs with a million links.
  void expect(std::span<const uint64_t> fingerprints) const;
  // Gives every waiting link a new score, in the order of offers; nothing = drop it.
  void rescore(const std::function<std::optional<Score>(const Candidate&)>& score);

  // The port of the host is given up: what waits there is dropped, and what is offered is refused.
  // (Of the port, since anybody may link to a port of another's host at which nobody listens. The
  // usual ports of http and https count as one.)
  void close(const Url& url);

  // Time, told by the engine. It never goes back.
  void set_time(Time now) { turns_.set_time(now); }
  Time now() const { return turns_.now(); }
  // When the first waiting link may go; nothing where nothing waits, or only for a place at its
  // host. Where an address is full its places may still be missing then.
  std::optional<Time> next_ready() const { return turns_.next_ready(); }

  // Politeness. An errand enters the host it goes to and leaves it when it is done there; while it
  // is there, each of its requests is noted.
  void enter(const Url& url) { turns_.enter(host_of(url)); }
  void leave(const Url& url) { turns_.leave(host_of(url)); }
  bool has_place(const Url& url) const;   // at the host, and at its address where that is known
  bool is_crowded(const Url& url) const;  // an errand there should leave and wait for a place
  void note_request(const Url& url, Time now);
  // When the host of `url` may be asked next.
  Time ready_at(const Url& url) const;
  // The least time between two requests to this host, where it is more than the usual.
  void set_delay(const Url& url, Duration delay);
  Duration delay_of(const Url& url) const;
  // The host must not be asked before that time.
  void hold(const Url& url, Time until);
  // The host of `url` is at this IP address.
  void set_address(const Url& url, std::string_view ip) { turns_.set_address(host_of(url), ip); }

  // Until unblock(), take() takes nothing of the host.
  void block(const Url& url) { turns_.block(host_of(url)); }
  void unblock(const Url& url) { turns_.unblock(host_of(url)); }

  size_t waiting() const { return waiting_.size(); }
  size_t known() const { return known_.size(); }  // waiting or visited
  size_t hosts() const { return hosts_.size(); }
  size_t hosts_active() const { return turns_.hosts_active(); }  // with something waiting
  size_t memory_bytes() const;  // of its containers, what they have set aside included

 private:
  Frontier(FrontierOptions options, std::unique_ptr<LinkStore> links);

  using Slot = WaitingLinks::Slot;

  // The fingerprint of a seen key, in halves: so an entry of known_ takes 12 bytes instead of 16.
  struct Seen {
    uint32_t high, low;
    explicit Seen(uint64_t fingerprint)
        : high(static_cast<uint32_t>(fingerprint >> 32)), low(static_cast<uint32_t>(fingerprint)) {}
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  struct SeenHash {  // a fingerprint is a good hash already
    size_t operator()(const Seen& seen) const { return uint64_t{seen.high} << 32 | seen.low; }
  };
  // What became of an address: the slot where it waits, or with the top bit its visit.
  using Fate = uint32_t;
  static constexpr Fate kVisited = 1u << 31;
  static constexpr Fate kTaken = UINT32_MAX;  // visited, and not finished

  struct Host {
    WaitingLinks::Queue queue;
    uint32_t taken = 0;   // also those under way
    uint32_t flying = 0;  // taken and neither finished nor put back
    uint16_t port = 0;    // of the first link that was offered; 0: the usual one
    bool has_port = false, has_other_ports = false;
  };
  // A link that waits no longer but is still written as waiting.
  struct Flight {
    uint64_t sequence;
    HostId host;
    bool taken;  // or only marked
    Score score;
  };

  HostId host_of(const Url& url) { return host_named(name_without_dot(url)); }
  HostId host_named(std::string_view name);
  std::optional<HostId> find_host(const Url& url) const;
  std::optional<Slot> find_waiting(const Url& url) const;
  void save_host(HostId id, const Url& url);
  void note_port(HostId id, const Url& url);
  bool is_closed(const Url& url) const;

  bool admit(uint64_t fingerprint, HostId host, const Rank& rank);
  void set_score(Slot slot, const Score& score, const Trail& trail);
  void change_score(Slot slot, const Score& score);  // the trail stays
  void remove(Slot slot);
  void forget(Slot slot);      // remove, and nothing is known of it
  void empty_host(HostId id);  // forgets all that waits there
  void show_head(HostId id);
  Candidate visit(Slot slot);  // takes it
  Slot head(HostId id) const { return hosts_[id].queue.front().slot; }
  void land(const Url& url, uint64_t fingerprint, const Flight& flight, const Score& score);

  FrontierOptions options_;
  std::unique_ptr<LinkStore> own_links_;
  LinkStore& links_;
  uint64_t next_sequence_ = 0;
  WaitingLinks waiting_;
  Turns turns_;
  std::vector<Host> hosts_;
  absl::flat_hash_map<uint64_t, HostId> host_ids_;  // by fingerprint of the host
  absl::flat_hash_set<uint64_t> closed_;            // fingerprints of "host" or "host:port"
  absl::flat_hash_map<Seen, Fate, SeenHash> known_;
  absl::flat_hash_map<uint64_t, Flight> flights_;  // by fingerprint
};

}  // namespace dowser
