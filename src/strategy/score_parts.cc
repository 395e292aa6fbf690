#include "strategy/score_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

// The sum is taken over the numbers as they are written, with six digits, so that it is right for
// whoever adds up what is shown. The term `other` then has the difference.

namespace dowser {
namespace {

constexpr double kNothing = 1e-6;  // a difference that six digits do not show

void append(std::string& text, std::string_view name, const std::string& number) {
  fmt::format_to(std::back_inserter(text), "{}{}={}", text.empty() ? "" : " ", name, number);
}

}  // namespace

std::string parts_text(const Score& score, std::span<const ScorePart> parts) {
  const auto given = std::count_if(parts.begin(), parts.end(), [](const ScorePart& part) {
    return part.kind == ScorePart::kTerm;
  });
  std::string terms, facts;
  double shown = 0, largest = 1;
  for (const ScorePart& part : parts) {
    const std::string number = fmt::format("{:.6g}", part.value);
    if (part.kind == ScorePart::kFact) {
      append(facts, part.name, number);
      continue;
    }
    if (given > 1 && !(std::abs(part.value) >= kSmallTerm)) continue;
    append(terms, part.name, number);
    shown += std::strtod(number.c_str(), nullptr);
    largest = std::max(largest, std::abs(part.value));
  }
  const double other = score.value() - shown;
  if (!std::isfinite(score.value())) {
    terms.clear();
  } else if (given > 0 && (terms.empty() || std::abs(other) > kNothing * largest)) {
    append(terms, "other", fmt::format("{:.6g}", other));
  }
  if (facts.empty()) return terms;
  return fmt::format("{}{}({})", terms, terms.empty() ? "" : " ", facts);
}

}  // namespace dowser
