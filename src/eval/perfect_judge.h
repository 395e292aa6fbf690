#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "judge/judge.h"

namespace dowser {

inline constexpr std::string_view kPerfect = "perfect";

// A judge that never errs, to measure what a strategy would achieve with it. It recognises the
// pages of the topic by their terms, and gives them 1 and all others 0. What words point towards
// the topic it takes from `learned`, with whose trainer it learns. Like the oracle, it is for
// comparisons only.
Result<std::unique_ptr<Judge>> make_perfect_judge(const Topic& topic,
                                                  std::span<const Page* const> pages_of_topic);

}  // namespace dowser
