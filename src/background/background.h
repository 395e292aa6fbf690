#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/terms.h"

// How common is a word in general? The background vocabulary, learned at build time from Debian
// documentation in some thirty languages: make_background.cc tells how.

namespace dowser {

// In what share of documents a term stands, 0 … 1, of the language that has it most; 0 where the
// vocabulary does not know it. May be called from any thread.
double background_share(TermId term);

// Terms in rising order, with the level of each: a share as one byte, on a logarithmic scale.
struct BackgroundTable {
  std::span<const TermId> terms;
  std::span<const uint8_t> levels;
};
// That of the program; empty where no package was there to learn from.
BackgroundTable background_table();

// Steps of 3.6 %, down to a share of 1 in 9,000.
inline constexpr double kLevelsPerE = 28;

inline uint8_t level_of_share(double share) {
  return static_cast<uint8_t>(std::clamp(std::round(-std::log(share) * kLevelsPerE), 0.0, 255.0));
}
inline double share_of_level(uint8_t level) { return std::exp(-level / kLevelsPerE); }

}  // namespace dowser
