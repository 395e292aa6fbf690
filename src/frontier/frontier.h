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
#include "frontier/host_quotas.h"
#include "frontier/host_schedule.h"
#include "frontier/link_store.h"
#include "frontier/waiting_links.h"
#include "model/url_canonical.h"
#include "model/url_host.h"
#include "model/visit.h"

// The links that are known: which of them wait, and which may be fetched now. Links are offered
// with a score; the best one whose host may be asked at this moment is taken. One thread uses it:
// no locks.
//
//   - The merge rule: a link that is offered again keeps its best score, with the trail of that
//     offer.
//   - Among equal scores the link that was offered first is taken first.
//   - A link that was taken once, or marked as visited, is never taken again (by its seen key).
//   - A host is the same host whatever the port, and with or without a dot after its name.
//   - A host is asked again only `delay` after its last request, with at most max_connections at a
//     time, and at most max_per_host of its links are taken, at most max_per_site of its site.
//   - Links that were in flight when the crawl died wait again after load().
//
// Who may change it:
//
// clang-format off
//   the crawl (engine/crawl.cc)      offers links, marks targets of redirects, finishes visits,
//                                    and tells the time
//   a strategy, by FrontierView      takes links, and changes the scores of waiting ones
//   the dispatcher, by HostAccess    reserves connections to hosts, delays and abandons hosts
//   run/, before a crawl is resumed  loads it, offers the links of lost visits again, and lets the
//                                    hosts rest after a crash
// clang-format on
//
// Each host keeps its waiting links in order (WaitingLinks); the hosts that may be asked are
// ordered by their best links (HostSchedule). Addresses and trails are in a LinkStore, through
// which every change is written; here a known address takes 60 to 80 bytes. All operations are
// O(log n), rescore() is O(n log n).

namespace dowser {

struct FrontierOptions {
  Duration delay{0};           // between two requests to a host
  size_t max_waiting = 0;      // a full frontier keeps the best; 0: no limit
  size_t max_per_host = 0;     // links taken of one host; 0: no limit
  size_t max_per_site = 0;     // links taken of all hosts of a registrable domain; 0: no limit
  size_t max_connections = 0;  // to a host; one if the host has a delay; 0: no limit
  size_t max_per_address = 0;  // connections to all hosts of one IP address; 0: no limit
  // No host is taken twice within so many links, unless nothing else can become ready: no other
  // host is ready or delayed, and no connection is in use.
  size_t host_gap = 0;
};

// A bonus for hosts of which little is known yet. Without it a crawl that begins on many sites may
// find links on one of them that look good, and never ask the others. The bonus is added to the
// score of the best waiting link of a host when hosts are compared; the links of a host keep their
// order. A strategy that explores may also put a host back behind others (Frontier::set_fatigue).
struct Exploration {
  double height = 0;  // the bonus of a host that was never asked, in units of the score
  double pages = 0;   // it falls evenly, to 0 after this many links of the host were taken
  double known = 0;   // if fewer links of the host are known than this, it is lower in proportion

  bool is_on() const { return height > 0; }
  double bonus(uint32_t taken, size_t waiting) const;
  // Of each of so many hosts of seeds: the more there are, the fewer pages of each are explored.
  double pages_of_each(size_t hosts) const;
};

// What a strategy sees of a host.
struct HostView {
  std::optional<Score> best;   // of the links that wait there
  uint32_t in_flight = 0;      // links that were taken and are not finished
  bool is_ready = false;       // a link waits, and may be taken now
  bool will_be_ready = false;  // likewise later: after its delay, or when a connection is free
  bool is_left = false;        // no link to it is accepted any more
};

class Frontier {
 public:
  enum class Offer {
    kNew,      // waits now
    kRaised,   // waited before, with a lower score
    kKnown,    // waits with a score at least as good
    kVisited,  // was taken before
    kRefused,  // the frontier or the host's share is full, or the host was abandoned
  };

  explicit Frontier(FrontierOptions options);           // links wait in memory
  Frontier(FrontierOptions options, LinkStore& links);  // the store outlives the frontier
  Frontier(const Frontier&) = delete;
  Frontier& operator=(const Frontier&) = delete;

  // Continues where the frontier that wrote the store stopped; to be called first. `in_flight`
  // names by their sequence the links that were taken (true), or only marked as visited (false),
  // and not finished: they stay so, and those that were taken are returned. Other links that were
  // in flight wait again.
  using InFlight = absl::flat_hash_map<uint64_t, bool>;
  using Taken = absl::flat_hash_map<uint64_t, Candidate>;  // by sequence
  Taken load(const InFlight& in_flight = {});
  // The hosts may have been asked until `from`, by a process that could not save that. So each
  // host, known or not, is first asked one delay after it.
  void rest_from(Time from) { schedule_.hold_all(from); }

  // Hosts of which little is known get this bonus from now on.
  void explore(const Exploration& exploration);
  // While hosts are explored: the host of this address has brought little lately, so from now on
  // `fatigue` is taken from the score of its best waiting link when hosts are compared.
  void set_fatigue(const Url& url, double fatigue);

  Offer offer(const Url& url, const Score& score, const Trail& trail) {
    return offer(url, seen_fingerprint(url), score, trail);
  }
  Offer offer(const Url& url, uint64_t fingerprint, const Score& score, const Trail& trail);
  bool is_known(uint64_t fingerprint) const {  // waits, or was visited
    return known_.contains(Seen(fingerprint));
  }
  // Loads what is known about these links, which will be offered soon, into the processor's cache,
  // all at once: with a million links, an offer costs mostly the time to wait for memory.
  void prefetch(std::span<const uint64_t> fingerprints) const;

  // Marks an address that was reached without being taken, by a redirect. False: it was visited
  // before.
  bool mark_visited(const Url& url);
  // Undoes mark_visited(): a link that was marked and is not finished waits again if it did before.
  void unmark(const Url& url);
  // The sequences of the links that are marked and not finished.
  std::vector<uint64_t> marked() const;

  // The link that was taken, or reached by a redirect, became this visit.
  void finish(const Url& url, VisitId id);
  std::optional<VisitId> visit_of(const Url& url) const;

  // A taken link that was not fetched waits again, with the score and in the place it had.
  void put_back(const Candidate& candidate);
  // A taken link that is not to be fetched is forgotten; it may be offered again.
  void discard(const Candidate& candidate);

  // Time, told by the crawl. It never goes back.
  void set_time(Time now) { schedule_.set_time(now); }
  // When the first waiting link may be taken; nothing if none waits, or if all hosts with waiting
  // links are out of connections.
  std::optional<Time> next_ready() const { return schedule_.next_ready(); }
  // The same for a strategy that waits although links may be taken: when a host becomes ready that
  // is not ready now.
  std::optional<Time> next_delayed() const { return schedule_.next_delayed(); }

  // The best link of the host that becomes ready first, for people who ask what a crawl waits for.
  std::optional<Url> first_delayed() const;

  size_t waiting() const { return waiting_.size(); }
  size_t known() const { return known_.size(); }  // waiting or visited
  size_t hosts() const { return hosts_.size(); }
  size_t hosts_active() const { return schedule_.hosts_active(); }  // with waiting links
  size_t memory_bytes() const;  // of its containers, with what they have reserved

 protected:
  // What a strategy may do: FrontierView documents it.
  friend class FrontierView;
  std::optional<Candidate> take();
  std::optional<Candidate> take(const Url& url);
  std::vector<Candidate> take_best(size_t n);
  std::optional<Score> best_score() const;
  bool set_score(uint64_t fingerprint, const Score& score);
  void rescore(const std::function<std::optional<Score>(const Candidate&)>& score);
  HostView host(std::string_view name) const;
  std::optional<Candidate> take_from(std::string_view name);
  void leave(std::string_view name);

  // What the dispatcher may do: HostAccess documents it.
  friend class HostAccess;
  Time now() const { return schedule_.now(); }
  void reserve(const Url& url) { schedule_.reserve(host_of(url)); }
  void release(const Url& url) { schedule_.release(host_of(url)); }
  bool can_reserve(const Url& url) const;
  bool is_over_limit(const Url& url) const;
  void note_request(const Url& url, Time now);
  Time ready_at(const Url& url) const;
  void set_delay(const Url& url, Duration delay);
  Duration delay_of(const Url& url) const;
  void hold(const Url& url, Time until);
  void set_address(const Url& url, std::string_view ip) { schedule_.set_address(host_of(url), ip); }
  void block(const Url& url) { schedule_.block(host_of(url)); }
  void unblock(const Url& url) { schedule_.unblock(host_of(url)); }
  void abandon(const Url& url);

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
  // What is known about an address, in four bytes: the slot in which it waits, the visit that it
  // became, or that it was taken or marked and is not finished.
  class Fate {
   public:
    static Fate waits(Slot slot) { return Fate(slot); }
    static Fate visited(VisitId id) { return Fate(kVisited | id.value); }
    static Fate in_flight() { return Fate(UINT32_MAX); }

    bool is_waiting() const { return bits_ < kVisited; }
    bool is_in_flight() const { return bits_ == UINT32_MAX; }
    Slot slot() const { return bits_; }                           // of one that waits
    VisitId visit() const { return VisitId{bits_ & ~kVisited}; }  // of one that was visited

   private:
    static constexpr uint32_t kVisited = 1u << 31;
    explicit Fate(uint32_t bits) : bits_(bits) {}
    uint32_t bits_;
  };

  struct Host {
    WaitingLinks::Queue queue;
    double fatigue = 0;
    uint32_t in_flight = 0;  // taken and neither finished nor put back
    uint16_t port = 0;       // of the first link that was offered; 0: the default port
    bool has_port = false, has_other_ports = false;
  };
  // A link that was taken or marked and is not finished. The store still holds it as waiting.
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
  void save_host(HostId id, std::string_view name);
  void note_port(HostId id, const Url& url);
  bool is_abandoned(const Url& url) const;

  bool admit(uint64_t fingerprint, HostId host, const Rank& rank);
  void set_score(Slot slot, const Score& score, const Trail& trail);
  void change_score(Slot slot, const Score& score);  // the trail stays
  void remove(Slot slot);
  void forget(Slot slot);      // remove, and nothing is known about it
  void empty_host(HostId id);  // forgets all links that wait there
  void update_head(HostId id);
  Candidate take_slot(Slot slot);
  Slot head(HostId id) const { return hosts_[id].queue.front().slot; }
  void wait_again(const Url& url, uint64_t fingerprint, const Flight& flight, const Score& score);

  FrontierOptions options_;
  std::unique_ptr<LinkStore> own_links_;
  LinkStore& links_;
  uint64_t next_sequence_ = 0;
  WaitingLinks waiting_;
  HostSchedule schedule_;
  HostQuotas quotas_;
  Exploration exploration_;
  std::vector<Host> hosts_;
  absl::flat_hash_map<uint64_t, HostId> host_ids_;  // by fingerprint of the host
  absl::flat_hash_set<uint64_t> abandoned_;         // fingerprints of "host" or "host:port"
  absl::flat_hash_map<Seen, Fate, SeenHash> known_;
  absl::flat_hash_map<uint64_t, Flight> flights_;  // by fingerprint
};

}  // namespace dowser
