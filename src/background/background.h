#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "base/terms.h"

// How common a word is in general, by a background vocabulary that is made at build time from
// Debian documentation in about thirty languages; make_background.cc describes how.

namespace dowser {

// The share of documents that have a term, 0 … 1, in the language in which it is most common; 0 if
// the vocabulary does not know it. Thread-safe.
double background_share(TermId term);

// Terms, sorted, with the level of each: a share in one byte, on a logarithmic scale.
struct BackgroundTable {
  std::span<const TermId> terms;
  std::span<const uint8_t> levels;
};
// The vocabulary of this program; empty if no documentation was installed when it was built.
BackgroundTable background_table();

// Steps of 3.6 %, down to a share of 1 in 9,000.
inline constexpr double kLevelsPerE = 28;

inline uint8_t level_of_share(double share) {
  return static_cast<uint8_t>(std::clamp(std::round(-std::log(share) * kLevelsPerE), 0.0, 255.0));
}
inline double share_of_level(uint8_t level) { return std::exp(-level / kLevelsPerE); }

}  // namespace dowser
