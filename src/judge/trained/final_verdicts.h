#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"

// How the verdicts at the end of a crawl come about: from the words of each page, from what was
// thought of it when it was fetched, and from the pages that are listed beside it. Called by the
// final judgement (run/final_judgement.cc) and by comparisons (eval/crawl_verdicts.cc).

namespace dowser {

// What each kind of evidence adds to the log odds of relevance.
struct FinalWeights {
  double words = 1;       // of the log odds by the final model
  double at_fetch = 0;    // of the log odds at fetch
  double title = 0;       // of the share of the topic's words that the title has
  double neighbours = 0;  // of how much the neighbours are above the average
  double offset = 0;

  // A topic with at least three examples, or one with fewer, or words alone.
  static FinalWeights of(bool has_examples);

  // Of a page that the crawl has not fetched.
  double log_odds(double words_alone) const { return (words + at_fetch) * words_alone + offset; }
};

// Which of the fetched pages are listed beside each other. Pages are numbered from 0.
class PageLists {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  explicit PageLists(size_t pages) : in_links_(pages), last_from_(pages, kNone) {}

  // The links of page `from` that have the same place in its markup lead to these pages, in their
  // order; kNone stands for a page that was not fetched. Lists of a page are added together.
  void add(uint32_t from, std::span<const uint32_t> to);

  // Calls use(page, other) for each two that are listed beside each other, both ways, as often as
  // they are.
  template <class Use>
  void each_neighbour(Use use) const;

 private:
  struct List {
    size_t begin, end;  // in entries_
  };
  bool is_in_menus(uint32_t page) const;

  std::vector<uint32_t> in_links_;   // number of pages that link to it
  std::vector<uint32_t> last_from_;  // the page that was counted last
  std::vector<uint32_t> entries_;
  std::vector<List> lists_;
};

// What the final model and the crawl say about a page.
struct FinalEvidence {
  double words = 0;      // log odds, by the final model
  double at_fetch = 0;   // relevance
  double in_title = 0;   // of the words of the topic, the share by rarity
  bool is_new = true;    // neither a copy nor "not found"
  bool is_known = true;  // its words are known
};

struct FinalRelevance {
  double at_fetch = 0, title = 0, neighbours = 0;  // what these add to the log odds
  double log_odds = 0;                             // altogether
};
std::vector<FinalRelevance> final_relevances(std::span<const FinalEvidence> pages,
                                             const PageLists& lists, const FinalWeights& weights);

double log_odds_of(double relevance);
double relevance_of(double log_odds);

// From which relevance on a page is relevant, and from which on it may be.
struct FinalThresholds {
  double relevant = 0.5, doubtful = 0.5;
};
// `relevances` are those of the new pages, in the order in which they were fetched.
FinalThresholds final_thresholds(std::span<const double> relevances);

}  // namespace dowser
