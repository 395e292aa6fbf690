#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/sparse_vector.h"
#include "model/visit.h"

// The reasons of a judgement: what each word added to the relevance. They always add up to it.

namespace dowser {

// The words of terms. Terms are hashes, so only those whose words were kept can be shown.
using TermWords = absl::flat_hash_map<TermId, std::string>;

using Reasons = std::vector<Judgement::Reason>;

// The two reasons that are not words: all words beyond the dozen strongest together, and what a
// page without any word that the judge knows would have.
inline constexpr std::string_view kOtherWords = "(other words)";
inline constexpr std::string_view kWithoutWords = "(without any word)";

// For relevances that are sums: `shares` of the terms add up to the relevance. Words are shown as
// they appear on the page; those that no longer occur in its text, as in `known`.
Reasons reasons_of_shares(const Page& page, const SparseVector& shares,
                          const TermWords* known = nullptr);

// For relevances that are 1 / (1 + exp(-z)): `parts` are what the terms add to z. A share of the
// relevance is the part of its term, times the mean slope on the way from no word to all of them
// (integrated gradients, Sundararajan et al. 2017), so the shares add up. `others` is evidence that
// is not a word, with what it adds to z.
Reasons reasons_of_log_odds(const Page& page, const SparseVector& parts, double relevance,
                            const TermWords* known = nullptr, Reasons others = {});

// All weights times `factor`.
Reasons scaled(Reasons reasons, double factor);
// Both lists as one: words that are in both once, with the sum of their weights.
Reasons joined(const Reasons& a, const Reasons& b);

}  // namespace dowser
