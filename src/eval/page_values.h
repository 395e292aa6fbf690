#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "eval/held_web.h"

// Measures of the value of a page other than labels (Uluhan 2006, ch. IV; Küçük 2009, section 4.2),
// for all nodes or for given ones.

namespace dowser {

// The cosine to the mean of these pages.
std::vector<double> similarities(const HeldWeb& web, std::span<const HeldWeb::Node> description);

// 1 if the page has all words of the keyword (predicate satisfaction in Uluhan 2006).
std::vector<double> predicate(const HeldWeb& web, std::string_view keyword);

// 1 if the page has the words of the keyword side by side, in its text or title: the predicate as a
// phrase. Stop words do not count.
std::vector<double> phrase(const HeldWeb& web, std::string_view keyword);

// The number of pages that link to a page, scaled so that the average page has 1 ("a simpler
// method" in Küçük 2009).
std::vector<double> in_link_popularity(const HeldWeb& web);

// PageRank, scaled so that the average page has 1.
std::vector<double> popularity(const HeldWeb& web);

// Ranks the pages of `pool` for a query made of the strongest words of `examples`, by BM25 (rank in
// a retrieval system in Küçük 2009): 1 for the best page, 0 for the worst, the mean of their ranks
// for equal ones; 0 for pages outside the pool.
std::vector<double> retrieval_ranks(const HeldWeb& web, std::span<const HeldWeb::Node> pool,
                                    std::span<const HeldWeb::Node> examples);

}  // namespace dowser
