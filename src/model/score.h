#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <limits>

namespace dowser {

// How promising a waiting link is. A score only defines an order: higher scores go first. Most
// strategies use one number; some use several that are compared one after the other (a context
// graph's layer, then the similarity).
class Score {
 public:
  static constexpr int kParts = 4;

  constexpr Score() = default;
  constexpr explicit Score(double first, double second = 0, double third = 0, double fourth = 0)
      : parts_{ordered(first), ordered(second), ordered(third), ordered(fourth)} {}

  // The score of a seed, which goes before every link that is found.
  static constexpr Score seed() { return Score(std::numeric_limits<double>::infinity()); }

  // The score of a link without any evidence, which goes after all others.
  static constexpr Score last() { return Score(-std::numeric_limits<double>::infinity()); }

  // The same with something added to its first part.
  constexpr Score plus(double value) const {
    Score sum = *this;
    sum.parts_[0] += value;
    return sum;
  }

  constexpr double value() const { return parts_[0]; }
  constexpr const std::array<double, kParts>& parts() const { return parts_; }

  friend constexpr bool operator==(const Score&, const Score&) = default;
  friend constexpr bool operator<(const Score& a, const Score& b) { return a.parts_ < b.parts_; }
  friend constexpr bool operator>(const Score& a, const Score& b) { return b < a; }

 private:
  // NaN cannot be ordered, so it goes last.
  static constexpr double ordered(double part) {
    return part == part ? part : -std::numeric_limits<double>::infinity();
  }

  std::array<double, kParts> parts_{};
};

// How much a page is about the topic, 0 … 1.
struct Relevance {
  double value = 0;
  friend auto operator<=>(const Relevance&, const Relevance&) = default;
};

// Identifies a visit of this crawl: its zero-based index in the order of visits.
struct VisitId {
  uint32_t value = 0;
  friend auto operator<=>(const VisitId&, const VisitId&) = default;
};

}  // namespace dowser
