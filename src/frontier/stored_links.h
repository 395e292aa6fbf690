#pragma once

#include <string>

#include "absl/container/flat_hash_map.h"
#include "base/state.h"
#include "frontier/link_store.h"

// Links in the state of a crawl, so that a killed one can go on. Keys:
//
//   'l' sequence 0   a waiting link as it was offered first
//   'l' sequence 1   its score and trail now, where a better offer or a strategy has changed them
//   'v' fingerprint  the visit that an address became
//   'h' host         what is known of a host
//
// The two of a link are apart so that a change writes a few bytes, and next to each other so that
// one scan sees both. Numbers in keys are eight bytes, big end first.
//
// It never commits: the engine does, once a page, and then calls committed(). Until then it keeps
// what it has written, since a State does not show what is pending.

namespace dowser {

class StoredLinks final : public LinkStore {
 public:
  explicit StoredLinks(State& state) : state_(state) {}

  // The state has made what was pending its own.
  void committed();

  // The visits from this one on were lost: their addresses are not known any more.
  void forget_visits_from(VisitId id);

  void put(uint64_t sequence, uint64_t fingerprint, const Url& url, const Score& score,
           const Trail& trail) override;
  void set_score(uint64_t sequence, const Score& score, const Trail& trail) override;
  std::pair<Url, Trail> get(uint64_t sequence) const override;
  void erase(uint64_t sequence) override;
  void set_visited(uint64_t fingerprint, VisitId id) override;
  void set_host(std::string_view host, const HostRecord& record) override;
  void each_waiting(const EachWaiting& visit) const override;
  void each_visited(const EachVisited& visit) const override;
  void each_host(const EachHost& visit) const override;
  size_t memory_bytes() const override;

 private:
  using Pending = absl::flat_hash_map<uint64_t, std::string>;  // records by sequence

  State& state_;
  Pending new_links_;
  Pending new_standings_;
  size_t pending_bytes_ = 0;  // of the records
};

}  // namespace dowser
