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

// The links of the newest visited pages, and which of these pages are the best hubs of the topic:
// graph/distiller.h over a crawl that goes on. Addresses are the same by their seen key.
//
// A visited page takes 8 bytes for each different address it links to, and some 60 more.
class HubFinder {
 public:
  // Of addresses, by the hash of their seen key.
  using Worths = absl::flat_hash_map<uint64_t, double>;

  explicit HubFinder(size_t most_pages) : most_pages_(most_pages) {}

  // Only pages that are found (relevant, and not had twice) can be authorities; every page can be a
  // hub.
  void add(const Visit& visit);

  // For each address that one of the `hubs` best hubs links to, the mean relevance of what that hub
  // links to, as far as it has been visited; of several such hubs the greatest.
  Worths worths(size_t hubs) const;

  void save(ByteWriter& out) const;
  // Whether `in` was long enough is for the caller to see.
  void load(ByteReader& in);

 private:
  struct Known {
    uint64_t asked = 0, answered = 0;  // they differ where it was reached by a redirect
    double relevance = 0;
    bool is_found = false;
    std::vector<uint64_t> links;  // each once, rising; not to itself
  };

  const size_t most_pages_;
  std::deque<Known> pages_;  // oldest first
};

}  // namespace dowser
