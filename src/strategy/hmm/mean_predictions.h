#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/bytes.h"
#include "base/result.h"

namespace dowser {

// For every address that was linked to, the mean of what the pages with links to it predict. A page
// counts once, with the first of its links.
//
// Memory: 12 bytes and 8 a state for an address, and the hash table's share.
class MeanPredictions {
 public:
  explicit MeanPredictions(size_t states) : states_(states) {}

  void add(uint64_t address, uint32_t page, std::span<const double> prediction);
  // Empty if no page links there.
  std::vector<double> mean(uint64_t address) const;

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  struct Entry {
    uint32_t index = 0;  // of its sums
    uint32_t count = 0;
    uint32_t last_page = 0;
  };

  size_t states_;
  absl::flat_hash_map<uint64_t, Entry> entries_;
  std::vector<double> sums_;  // of each entry, by state
};

}  // namespace dowser
