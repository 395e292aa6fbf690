#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "base/state.h"
#include "frontier/link_store.h"

// Links in the state of a crawl, so that a killed crawl can be resumed. Keys:
//
// clang-format off
//   'l' sequence 0   a waiting link as it was offered first
//   'l' sequence 1   its score and trail now, if a better offer has changed them
//   'l' sequence 2   its score now, if a strategy has changed it since: written without reading
//   'v' fingerprint  the visit that an address became
//   'h' host         what is known about a host
// clang-format on
//
// A link has three records so that a change writes a few bytes, next to each other so that one scan
// sees them all. Numbers in keys are eight bytes, big-endian.
//
// It never commits; the owner of the state does, once a page. Until then what was written is kept
// here, since a State does not show pending changes. seal() names all that was written since it was
// called last.

namespace dowser {

class StoredLinks final : public LinkStore {
 public:
  explicit StoredLinks(State& state) : state_(state) {}

  using Generation = uint64_t;
  Generation seal();
  // The state has committed what was sealed with this number, and all before.
  void committed(Generation generation);

  // This visit and all later ones were lost: their addresses are no longer known. each_visited()
  // leaves them out at once; the next commit removes them from the state, so that the caller can
  // offer them again in the same batch.
  void forget_visits_from(VisitId id);

  void put(uint64_t sequence, uint64_t fingerprint, const Url& url, const Score& score,
           const Trail& trail) override;
  void set_score(uint64_t sequence, const Score& score, const Trail& trail) override;
  void set_score(uint64_t sequence, const Score& score) override;
  std::pair<Url, Trail> get(uint64_t sequence) const override;
  void erase(uint64_t sequence) override;
  void set_visited(uint64_t fingerprint, VisitId id) override;
  void set_host(std::string_view host, const HostRecord& record) override;
  void each_waiting(const EachWaiting& visit) const override;
  void each_visited(const EachVisited& visit) const override;
  void each_host(const EachHost& visit) const override;
  size_t memory_bytes() const override;

 private:
  struct Record {
    std::string bytes;
    Generation generation = 0;
  };
  using Pending = absl::flat_hash_map<uint64_t, Record>;  // by sequence

  using TakeLink = std::function<void(uint64_t fingerprint, Candidate&& link)>;
  void read_waiting(const TakeLink& take) const;
  void remember(Pending& pending, uint64_t sequence, std::string bytes);
  void forget(Pending& pending, uint64_t sequence);
  void forget(Pending& pending, uint64_t sequence, Generation generation);

  State& state_;
  Generation generation_ = 1;
  Pending new_links_;
  Pending new_standings_;
  std::deque<std::pair<Generation, uint64_t>> written_;  // sequences, in the order of writing
  size_t pending_bytes_ = 0;                             // of the records
  std::optional<VisitId> first_forgotten_;
  // Whether there may be scores that a strategy has changed. Most never do that, and then none need
  // be erased. Of an earlier run, each_waiting() sees them.
  mutable std::atomic<bool> has_scores_ = false;  // set by the thread that reads
};

}  // namespace dowser
