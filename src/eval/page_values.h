#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "eval/held_web.h"

// What a page is worth by other measures than labels (U3, K5): a value for each node, or for those
// asked for.

namespace dowser {

// The cosine to a description made of these pages.
std::vector<double> similarities(const HeldWeb& web, std::span<const HeldWeb::Node> description);

// 1 where the page has all words of the keyword (U: predicate satisfaction).
std::vector<double> predicate(const HeldWeb& web, std::string_view keyword);

// PageRank, 1 for the average page.
std::vector<double> popularity(const HeldWeb& web);

// Ranks the pages of `pool` for a query made of the strongest words of `examples`, by BM25 (K: the
// retrieval system's rank): 1 for the best page, 0 for the worst, the middle of their places for
// equals; 0 for pages outside of the pool.
std::vector<double> retrieval_ranks(const HeldWeb& web, std::span<const HeldWeb::Node> pool,
                                    std::span<const HeldWeb::Node> examples);

}  // namespace dowser
