#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/page.h"

namespace dowser {

// How often a word counts for a judge, depending on where on the page it occurs. 0: it does not
// count. A word of a heading counts `heading` times instead of once, if the role of its block
// counts at all, and an emphasised word `emphasis` times.
struct FieldWeights {
  uint8_t title = 1, description = 1, keywords = 1;
  uint8_t heading = 2, emphasis = 1;
  std::array<uint8_t, kBlockRoles> roles = {1, 1, 1, 0, 1, 0, 1, 0, 0, 0};

  // The text form of what differs from the defaults, "title:3 menu:0"; "" if nothing does.
  static Result<FieldWeights> parse(std::string_view text);
  std::string text() const;

  friend bool operator==(const FieldWeights&, const FieldWeights&) = default;
};

}  // namespace dowser
