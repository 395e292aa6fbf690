#pragma once

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/terms.h"
#include "model/page.h"

// How near the keywords of an agent are to each link of a page (Küçük 2009, equation 4-1):
//
//   in(k, l) = sum over occurrences i of k with dist(i, l) <= rho of 1 / dist(i, l)
//
// Küçük counts the links between an occurrence and l; dist is one more, so that one can divide by
// it:
//
// clang-format off
//   owl  [snow]  white owl  [eagle]  hawk
//    1     1         1         2       2      distances to the link [snow]
// clang-format on
//
// An occurrence in the anchor, or between it and the next link on either side, has distance 1; one
// in the anchor of the next link, or just after it, has distance 2. The terms are read once, and
// each occurrence is added to the 2 rho links around it.

namespace dowser {

// What a keyword adds to the input of a link; keywords have the caller's numbers.
struct KeywordInput {
  uint32_t keyword = 0;
  double value = 0;
  friend bool operator==(const KeywordInput&, const KeywordInput&) = default;
};

// Returns the keyword that a term stands for.
inline constexpr uint32_t kNoKeyword = UINT32_MAX;
using KeywordOf = absl::FunctionRef<uint32_t(TermId)>;

// The inputs of each link of the page, sorted by keyword; keywords that are not near have none.
std::vector<std::vector<KeywordInput>> keyword_inputs(const Page& page, uint32_t rho,
                                                      KeywordOf keyword_of);

}  // namespace dowser
