#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/terms.h"
#include "judge/judge.h"

namespace dowser {

inline constexpr std::string_view kPerfect = "perfect";

// What would a strategy be worth with a judge that errs never? It knows the pages of the topic by
// their terms, and says 1 of them and 0 of all others; what words point towards the topic it has
// from `learned`, with whose trainer it learns. For comparisons only, like the oracle.
Result<std::unique_ptr<Judge>> make_perfect_judge(const Topic& topic,
                                                  std::span<const Page* const> pages_of_topic);

}  // namespace dowser
