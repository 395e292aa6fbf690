#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "model/visit.h"

// Where a frontier keeps what it rarely needs, and what must outlive it: the addresses and trails
// of waiting links, what was visited, and what is known about hosts. The frontier calls it on its
// one thread and writes every change at once; the owner of the store decides when changes become
// durable.
//
// The key of a waiting link is its sequence, its number in the order of offers: so new links are
// written in the order of their keys, which suits a sorted store, and rescore(), which goes in that
// order, reads it from front to back.

namespace dowser {

// What is kept of a host.
struct HostRecord {
  uint32_t taken = 0;  // links whose visits are finished
  Time ready_at{INT64_MIN};
  Duration delay{0};
  bool abandoned = false;
  uint64_t rests_until = 0;  // as in HostSchedule
  double fatigue = 0;        // Frontier::set_fatigue()
};

class LinkStore {
 public:
  using EachWaiting = std::function<void(uint64_t fingerprint, const Candidate& link)>;
  using EachVisited = std::function<void(uint64_t fingerprint, VisitId)>;
  using EachHost = std::function<void(std::string_view host, const HostRecord&)>;

  virtual ~LinkStore() = default;

  // A new waiting link. A better offer changes its score and trail, never its address.
  virtual void put(uint64_t sequence, uint64_t fingerprint, const Url& url, const Score& score,
                   const Trail& trail) = 0;
  virtual void set_score(uint64_t sequence, const Score& score, const Trail& trail) = 0;
  virtual void set_score(uint64_t sequence, const Score& score) = 0;  // the trail stays
  // Of a link that waits, also if it was just written. Throws if the store has lost it.
  virtual std::pair<Url, Trail> get(uint64_t sequence) const = 0;
  virtual void erase(uint64_t sequence) = 0;  // it waits no longer

  virtual void set_visited(uint64_t fingerprint, VisitId id) = 0;
  virtual void set_host(std::string_view host, const HostRecord& record) = 0;

  // What is kept, for Frontier::load(); waiting links in the order of their sequences. Only what is
  // durable: a pending change may be missing.
  virtual void each_waiting(const EachWaiting& visit) const = 0;
  virtual void each_visited(const EachVisited& visit) const = 0;
  virtual void each_host(const EachHost& visit) const = 0;

  virtual size_t memory_bytes() const = 0;
};

}  // namespace dowser
