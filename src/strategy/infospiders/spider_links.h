#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "base/bytes.h"
#include "base/result.h"
#include "model/url_canonical.h"
#include "strategy/infospiders/link_distances.h"

// The links that agents may choose from, each with what is needed to fetch it and to learn from it.
// The agents keep lists of their fingerprints. A link is in one list at a time: that of the best
// offer, as in the frontier.

namespace dowser {

struct SpiderLink {
  Url url;
  double page = 0;   // similarity of the page it is on
  double bonus = 0;  // added to every estimate of it
  double score = 0;  // with which it was offered
  uint32_t owner = 0;
  std::vector<KeywordInput> inputs;
};

class SpiderLinks {
 public:
  using List = std::vector<uint64_t>;

  const SpiderLink& at(uint64_t fingerprint) const { return links_.at(fingerprint); }
  const SpiderLink* find(uint64_t fingerprint) const;
  bool is_visited(uint64_t fingerprint) const { return visited_.contains(fingerprint); }

  void put(uint64_t fingerprint, SpiderLink link);
  void give(uint64_t fingerprint, uint32_t owner) { links_.at(fingerprint).owner = owner; }
  void erase(uint64_t fingerprint) { links_.erase(fingerprint); }
  // Removes a link that is visited now, and returns what was known about it, if anything.
  std::optional<SpiderLink> visit(uint64_t fingerprint);

  // If the list is much longer than `most`, drops the worst; the others keep their order.
  void trim(List& list, size_t most);

  // Without the lists, which their owners save.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  void save_list(const List& list, ByteWriter& out) const;
  Result<List> load_list(ByteReader& in);

 private:
  absl::flat_hash_map<uint64_t, SpiderLink> links_;
  absl::flat_hash_set<uint64_t> visited_;
};

}  // namespace dowser
