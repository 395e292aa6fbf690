#pragma once

#include <cstdint>

#include "model/score.h"

namespace dowser {

using HostId = uint32_t;  // the number of a host, in the order in which hosts became known

// The order of waiting links, best first: by descending score, then in the order of offers. No two
// waiting links have the same sequence.
struct Rank {
  Score score;
  uint64_t sequence = 0;

  friend bool operator==(const Rank&, const Rank&) = default;
  friend bool operator<(const Rank& a, const Rank& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.sequence < b.sequence;
  }
};

}  // namespace dowser
