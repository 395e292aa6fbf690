#include "judge/trained/final_verdicts.h"

#include <algorithm>
#include <cmath>

#include "learn/final_model.h"

// When a crawl has ended, a page is judged by four kinds of evidence:
//
// clang-format off
//   words       the log odds z that the final model (learn/final_model.cc) gives its words
//   at fetch    the log odds f of its relevance when it was fetched
//   title       the share t of the topic's words that its title has; rare words count more
//   neighbours  N = Σ (g_j - mean g) / (n + 1), over the n pages j that are listed beside it: at
//               most three places before or after it among the links of some page that have the
//               same place in the markup, where g = weight · z + weight · f + weight · t of page j
//
//   log odds of relevance = weight · z + weight · f + weight · t + weight · N + offset
// clang-format on
//
// Why at fetch? A topic that is given by words has no examples, so the final model learns from
// pages that have many of the words, right or wrong. The judge at fetch keeps to the words of the
// topic. The two make different errors, and each counts about as much. With examples the model
// knows better, and what was thought at fetch does not help. A title says what a page is about,
// where its text may only mention the words: "window functions" is not what a page about functions
// of Windows is called.
//
// Why neighbours? Lists bring together what belongs together, whatever words it is written in: the
// members of a department, the functions of a module. Menus would make everything a neighbour of
// everything, so a page that more than 30 % of all pages link to is nobody's neighbour.
//
// Threshold. It is the one of best expected F1 (threshold_of_best_f1), but of the beginning of the
// crawl that has the highest mean relevance, at least 300 pages. With all pages it would fall as a
// crawl grows: thousands of pages that are relevant with a probability of .03 promise a hundred
// finds that are not there, and to catch them more and more pages would be called relevant. A page
// between the two thresholds is doubtful.
//
// Example: 2,000 pages, the first 400 of which have a mean relevance of .21, all together .08. The
// best threshold of the 400 is .33, that of all .24. A page with .28 is doubtful.
//
// The weights were chosen on ten topics of the full mini web (bench/hard_topics.tsv, the half for
// tuning), nine of schools and three of webkb with their first words, at 500, 1,000 and 2,000
// fetches; docs/comparison.md has the figures on other topics and words. Cost: a pass over the
// links, which are numbered by the caller, and 8 bytes for each pair of neighbours.

namespace dowser {
namespace {

constexpr FinalWeights kWithExamples{.words = 1, .neighbours = 0.35};
constexpr FinalWeights kWithWords{
    .words = 0.6, .at_fetch = 0.6, .title = 2, .neighbours = 0.35, .offset = 0.1};
constexpr double kMostInLinks = 0.3;  // share of all pages
constexpr double kNeighbourPrior = 1;
constexpr size_t kFewestPages = 300;
constexpr double kNextPrefix = 1.15;
constexpr double kLeast = 1e-6;  // probability

}  // namespace

FinalWeights FinalWeights::of(bool has_examples) {
  return has_examples ? kWithExamples : kWithWords;
}

double log_odds_of(double relevance) {
  const double p = std::clamp(relevance, kLeast, 1 - kLeast);
  return std::log(p / (1 - p));
}

double relevance_of(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

void PageLists::add(uint32_t from, std::span<const uint32_t> to) {
  const size_t begin = entries_.size();
  for (const uint32_t page : to) {
    if (page == from || (entries_.size() > begin && entries_.back() == page && page != kNone)) {
      continue;
    }
    entries_.push_back(page);
    if (page == kNone || std::exchange(last_from_[page], from) == from) continue;
    ++in_links_[page];
  }
  lists_.push_back({begin, entries_.size()});
}

bool PageLists::is_in_menus(uint32_t page) const {
  return in_links_[page] > kMostInLinks * static_cast<double>(in_links_.size());
}

template <class Use>
void PageLists::each_neighbour(Use use) const {
  constexpr size_t kReach = 3;
  std::vector<uint32_t> list;
  for (const List& one : lists_) {
    list.clear();
    for (size_t i = one.begin; i < one.end; ++i) {
      if (entries_[i] == kNone || !is_in_menus(entries_[i])) list.push_back(entries_[i]);
    }
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i] == kNone) continue;
      for (size_t j = i + 1; j < std::min(list.size(), i + 1 + kReach); ++j) {
        if (list[j] == kNone || list[j] == list[i]) continue;
        use(list[i], list[j]);
        use(list[j], list[i]);
      }
    }
  }
}

std::vector<FinalRelevance> final_relevances(std::span<const FinalEvidence> pages,
                                             const PageLists& lists, const FinalWeights& weights) {
  std::vector<FinalRelevance> all(pages.size());
  std::vector<double> own(pages.size());
  double sum = 0;
  size_t known = 0;
  for (size_t i = 0; i < pages.size(); ++i) {
    if (weights.at_fetch != 0) all[i].at_fetch = weights.at_fetch * log_odds_of(pages[i].at_fetch);
    all[i].title = weights.title * pages[i].in_title;
    own[i] = weights.words * pages[i].words + all[i].at_fetch + all[i].title;
    if (!pages[i].is_known || !pages[i].is_new) continue;
    sum += own[i];
    ++known;
  }
  const double mean = known > 0 ? sum / static_cast<double>(known) : 0;
  // A pair that is listed together on many pages is one pair of neighbours.
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  lists.each_neighbour([&](uint32_t page, uint32_t other) {
    if (pages[other].is_known && pages[other].is_new) pairs.emplace_back(page, other);
  });
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (size_t i = 0; i < pairs.size();) {
    const uint32_t page = pairs[i].first;
    double above = 0;
    size_t count = 0;
    for (; i < pairs.size() && pairs[i].first == page; ++i, ++count) {
      above += own[pairs[i].second] - mean;
    }
    all[page].neighbours =
        weights.neighbours * above / (static_cast<double>(count) + kNeighbourPrior);
  }
  for (size_t i = 0; i < pages.size(); ++i) {
    all[i].log_odds = own[i] + all[i].neighbours + weights.offset;
  }
  return all;
}

FinalThresholds final_thresholds(std::span<const double> relevances) {
  size_t richest = relevances.size(), end = 0;
  double sum = 0, best = -1;
  double next = kFewestPages;
  for (const double relevance : relevances) {
    sum += relevance;
    ++end;
    if (end < relevances.size() && static_cast<double>(end) < next) continue;
    while (next <= static_cast<double>(end)) next *= kNextPrefix;
    const double mean = sum / static_cast<double>(end);
    if (mean <= best) continue;
    best = mean;
    richest = end;
  }
  FinalThresholds thresholds;
  thresholds.relevant = threshold_of_best_f1(relevances.first(richest));
  thresholds.doubtful = std::min(thresholds.relevant, threshold_of_best_f1(relevances));
  return thresholds;
}

}  // namespace dowser
