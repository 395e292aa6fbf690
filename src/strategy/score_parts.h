#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/score.h"

// What a score is made of, as the catalogue keeps it and `dowser explain` shows it.

namespace dowser {

struct ScorePart {
  enum Kind : uint8_t {
    kTerm,  // one of the numbers whose sum is the first part of the score
    kFact,  // something else that decided: the layer of a page, the rule that was applied
  };
  std::string_view name;  // a string literal
  double value = 0;
  Kind kind = kTerm;
};

// The terms as "page=0.3 anchor=0.2", then the facts in parentheses: "(layer=2 probability=0.4)".
// The terms that are shown add up to the first part of the score within kSumError: terms below
// kSmallTerm are shown together as `other`, with whatever else the given terms lack. A single term
// is shown however small it is; if there is no term at all, none is shown. The score of a seed, and
// that of a link without any evidence, are not sums: only their facts are shown.
std::string parts_text(const Score& score, std::span<const ScorePart> parts);

inline constexpr double kSmallTerm = 0.005;
inline constexpr double kSumError = 1e-5;  // times the largest of the terms, or 1

}  // namespace dowser
