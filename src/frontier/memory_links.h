#pragma once

#include <string>

#include "absl/container/flat_hash_map.h"
#include "frontier/link_store.h"

namespace dowser {

// Waiting links in memory, for crawls that need not survive their process. What only load() would
// read is not kept: loading finds nothing.
class MemoryLinks final : public LinkStore {
 public:
  void put(uint64_t sequence, uint64_t fingerprint, const Url& url, const Score& score,
           const Trail& trail) override;
  void set_score(uint64_t sequence, const Score& score, const Trail& trail) override;
  void set_score(uint64_t, const Score&) override {}
  std::pair<Url, Trail> get(uint64_t sequence) const override;
  void erase(uint64_t sequence) override;
  void set_visited(uint64_t, VisitId) override {}
  void set_host(std::string_view, const HostRecord&) override {}
  void each_waiting(const EachWaiting&) const override {}
  void each_visited(const EachVisited&) const override {}
  void each_host(const EachHost&) const override {}
  size_t memory_bytes() const override;

 private:
  struct Link {
    std::string href;
    Trail trail;
  };
  absl::flat_hash_map<uint64_t, Link> links_;
  size_t text_bytes_ = 0;
};

}  // namespace dowser
