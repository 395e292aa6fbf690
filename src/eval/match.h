#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/comparison.h"
#include "eval/page_values.h"

namespace dowser {

inline constexpr std::string_view kOracle = "oracle";

// What all matches of a comparison have in common.
struct MatchSetting {
  const HeldWeb& web;
  std::span<const Contestant> contestants;  // the oracle is the last
  const CompareOptions& options;
  std::span<const uint32_t> points;
  std::vector<double> popularity;  // by node
  std::vector<double> in_links;    // likewise
};

// Lets every contestant crawl for one draw of a topic, and returns one result for each. With
// `extra` they also crawl politely and from other seeds. Runs on the caller's thread.
Result<std::vector<Trial>> play_match(const MatchSetting& setting, const std::string& topic,
                                      const Draw& draw, bool extra);

}  // namespace dowser
