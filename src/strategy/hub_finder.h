#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/bytes.h"
#include "model/url_canonical.h"
#include "model/visit.h"

namespace dowser {

// Keeps the links of the newest visited pages and computes which of these pages are the best hubs
// of the topic (graph/distiller.h). Addresses that differ only by `www.` or a default file name
// count as one.
//
// A visited page takes 8 bytes for each different address that it links to, and about 60 more.
class HubFinder {
 public:
  // By the hash of the seen key of an address.
  using Worths = absl::flat_hash_map<uint64_t, double>;

  explicit HubFinder(size_t most_pages) : most_pages_(most_pages) {}

  // Only pages that count as found (relevant, and not a copy of another) can be authorities; every
  // page can be a hub.
  void add(const Visit& visit);

  // For each address that one of the `hubs` best hubs links to: the mean relevance of the visited
  // pages that this hub links to; the greatest of these means if there are several such hubs.
  Worths worths(size_t hubs) const;

  void save(ByteWriter& out) const;
  // The caller checks in.ok().
  void load(ByteReader& in);

 private:
  struct Known {
    uint64_t asked = 0, answered = 0;  // these differ if there was a redirect
    double relevance = 0;
    bool is_found = false;
    std::vector<uint64_t> links;  // sorted, without duplicates and without itself
  };

  const size_t most_pages_;
  std::deque<Known> pages_;  // the oldest first
};

}  // namespace dowser
