#include "library/match_score.h"

#include <algorithm>
#include <cmath>

namespace dowser {
namespace {

constexpr double kSaturation = 1.2, kLengthWeight = 0.75;  // k1 and b, the usual values
constexpr double kSmallestIdf = 1e-6;  // of a word that is in more than half of the items

}  // namespace

MatchScore::MatchScore(const LibraryReader& library)
    : library_(library), scores_(library.lengths().size()), bare_found_(library.lengths().size()) {}

void MatchScore::add(const std::vector<CountedItem>& items, double weight, bool is_bare) {
  const auto with = static_cast<double>(items.size());
  const double without = static_cast<double>(library_.items()) - with;
  // Items that were taken out still count as items with the phrase, so `without` may be negative.
  const double odds = std::max(0.0, without + 0.5) / (with + 0.5);
  const double rarity = odds > 0 ? std::max(kSmallestIdf, std::log(odds)) : kSmallestIdf;
  const std::vector<uint32_t>& lengths = library_.lengths();
  const double norm = kSaturation * (1 - kLengthWeight);
  const double norm_of_word = kSaturation * kLengthWeight / library_.average_length();
  for (const auto& [id, count] : items) {
    if (lengths[id] == kNoItem) continue;
    const double length_norm = norm + norm_of_word * static_cast<double>(lengths[id]);
    scores_[id] += weight * rarity * count * (kSaturation + 1) / (count + length_norm);
    bare_found_[id] = static_cast<uint16_t>(bare_found_[id] + is_bare);
  }
  bare_ = static_cast<uint16_t>(bare_ + is_bare);
}

}  // namespace dowser
