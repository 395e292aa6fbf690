#include "mine/topics/topic_scores.h"

#include <algorithm>
#include <cmath>

// Let k be the keyword, c a candidate, and n(k), n(c), n(b) the numbers of pages that hold the
// keyword, the candidate and both. Uluhan (2006, table 3) scores a candidate by
//
//   S1 = n(b) / sqrt(n(c) n(k))     S4 = n(b) / max(n(k), n(c))
//   S2 = n(b) / (n(c) n(k))         S5 = n(b) / n(k)
//   S3 = n(b)² / (n(c) n(k))        S6 = n(b) / n(c)
//
// Table 3 as printed has S5 = n(c)/n(k), and S2 and S3 without parentheses; the tables of results
// are computed as above. A candidate with n(c) > n(k) is more general than the keyword (Type III).
// The others are Type I if S1 ≥ 0.005 and Type II otherwise.
//
// Example, table 4: n(k) = 76,700,000 for "artificial intelligence", n(c) = 16,300,000 for "machine
// learning", n(b) = 6,670,000: S1 = 0.1886, Type I. "neural networks faq" has 639 and 345 and
// S1 = 0.0016: Type II.
//
// The limit was chosen on the counts of a search engine, where 0.005 is far above what two
// unrelated phrases reach. In a collection of N pages unrelated phrases reach
//
//   S1 = sqrt(n(c) n(k)) / N
//
// on average, since n(b) is n(c) n(k) / N then. With N = 8,000, n(k) = 400 and n(c) = 50 this is
// 0.018: everything would be Type I. In a collection n(b) must therefore also be higher than chance
// explains.
//
// What chance explains is more than n(c) n(k) / N, for two reasons. Pages are of different length:
// those with a given phrase are longer than others, and long pages hold any other phrase more
// often, too. Of the pages of computer science departments in WebKB those with "artificial
// intelligence" in their content are 4.7 % and hold 10.6 % of the text; "operating systems" and
// "undergraduate" are twice as frequent there as on other pages, which is what their length
// explains. And hosts are about different things: on a web of manuals "unittest" and "regular
// expression" go together because both belong to Python. So let πₕ be the share of the text of host
// h that occurs on pages with the keyword, and nₕ(c) the number of its pages with the candidate.
// Chance explains
//
//   E = Σₕ nₕ(c) πₕ
//
// pages with both. If in each host the pages with the candidate were drawn with probabilities that
// grow with their length, n(b) would be about binomial, with n(c) draws of probability E / n(c).
// The p-value is its upper tail, P(X ≥ n(b)).
//
// Three corrections make this honest:
//
//   - A candidate is noticed only because it occurs on `support` pages with the keyword, so
//     n(b) ≥ support by construction. The p-value is therefore conditional on that:
//     P(X ≥ n(b) | X ≥ support). A candidate that occurs on exactly those pages has p = 1: the
//     collection says nothing about it beyond the fact that it was found.
//   - Many candidates are tried, and one in a hundred would pass at 0.01. The limit is divided by
//     their number (Bonferroni).
//   - A candidate that contains the keyword, such as "artificial intelligence laboratory", has
//     n(b) = n(c) whatever it means. Its counts say nothing, so it has p = 1.
//
// A collection has a further rule. Manuals list what is not a topic: "loc : float, optional"
// appears in the lists of every function of a kind, and nowhere else. Whoever knows a topic also
// writes about it, so in a collection a candidate of Type I must occur outside lists and tables as
// well, in a paragraph, heading or title of a page that holds the keyword.
//
// What it assumes: pages of one host are independent of one another. They are not quite, so near
// duplicates count once in the support, and templates are left out. Both limits are shown with
// every candidate.
//
// Cost: the tail has at most n(c) terms, each from the one before.

namespace dowser {
namespace {

// log P(X ≥ at_least) of the binomial distribution.
double log_tail(uint64_t draws, double probability, uint64_t at_least) {
  if (at_least == 0 || probability >= 1) return 0;
  if (at_least > draws || probability <= 0) return -INFINITY;
  const auto n = static_cast<double>(draws), first = static_cast<double>(at_least);
  const double log_first = std::lgamma(n + 1) - std::lgamma(first + 1) -
                           std::lgamma(n - first + 1) + first * std::log(probability) +
                           (n - first) * std::log1p(-probability);
  const double odds = probability / (1 - probability);
  double sum = 1, term = 1;  // in units of the first term
  for (double i = first; i < n; ++i) {
    term *= (n - i) / (i + 1) * odds;
    sum += term;
    if (term < sum * 1e-17) break;
  }
  return std::min(0.0, log_first + std::log(sum));
}

}  // namespace

std::string_view name_of(TopicType type) {
  return type == TopicType::kOne ? "I" : type == TopicType::kTwo ? "II" : "III";
}

TopicScores topic_scores(const TopicCounts& counts) {
  TopicScores scores;
  if (!counts.keyword || !counts.candidate || !counts.both) return scores;
  const auto k = static_cast<double>(*counts.keyword), c = static_cast<double>(*counts.candidate),
             b = static_cast<double>(*counts.both);
  if (k == 0 || c == 0) return scores;
  scores.s1 = b / std::sqrt(c * k);
  scores.s2 = b / (c * k);
  scores.s3 = b * b / (c * k);
  scores.s4 = b / std::max(k, c);
  scores.s5 = b / k;
  scores.s6 = b / c;
  return scores;
}

Chance topic_chance(const TopicCounts& counts, uint64_t pages, double by_host, uint64_t support,
                    bool holds_keyword) {
  Chance chance;
  if (!counts.keyword || !counts.candidate || !counts.both || pages == 0) return chance;
  const auto c = static_cast<double>(*counts.candidate);
  chance.expected = c * static_cast<double>(*counts.keyword) / static_cast<double>(pages);
  chance.by_host = std::max(chance.expected, by_host);
  if (holds_keyword || c == 0) return chance;
  const double probability = chance.by_host / c;
  const double seen = log_tail(*counts.candidate, probability, support);
  const double tail = log_tail(*counts.candidate, probability, std::max(*counts.both, support));
  chance.p_value = std::isfinite(seen) ? std::exp(tail - seen) : 1;
  return chance;
}

TopicType topic_type(const TopicCounts& counts, const TopicScores& scores,
                     const std::optional<Chance>& chance, size_t candidates, const TypeRule& rule) {
  if (!counts.keyword || !counts.candidate || !counts.both) return TopicType::kThree;
  if (*counts.candidate > *counts.keyword) return TopicType::kThree;
  if (scores.s1 < rule.least_s1) return TopicType::kTwo;
  if (chance && !chance->is_in_prose) return TopicType::kTwo;
  if (chance &&
      chance->p_value > rule.most_p / static_cast<double>(std::max<size_t>(1, candidates))) {
    return TopicType::kTwo;
  }
  return TopicType::kOne;
}

}  // namespace dowser
