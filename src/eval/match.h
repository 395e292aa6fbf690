#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/comparison.h"
#include "eval/page_values.h"

namespace dowser {

inline constexpr std::string_view kOracle = "oracle";

// What all matches of a comparison share.
struct MatchSetting {
  const HeldWeb& web;
  std::span<const Contestant> contestants;  // the oracle is the last
  const CompareOptions& options;
  std::span<const uint32_t> points;
  std::vector<double> popularity;  // by node
};

// Every contestant crawls for one draw of a topic; one result each. With `extra` also politely, and
// from other seeds. On the caller's thread.
Result<std::vector<Outing>> play_match(const MatchSetting& setting, const std::string& topic,
                                       const Draw& draw, bool extra);

}  // namespace dowser
