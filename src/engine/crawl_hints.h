#pragma once

#include <string>
#include <vector>

#include "engine/counters.h"
#include "model/topic.h"
#include "model/visit.h"
#include "text/topic_coverage.h"

namespace dowser {

// Hints for a person whose crawl finds less than expected: sentences that say what is wrong and
// what to try. One thread.
class CrawlHints {
 public:
  explicit CrawlHints(const Topic& topic);

  // A page has come back and was judged.
  void learn(const Visit& visit);
  // Some visits of an earlier run are not known, so nothing is said about words from now on.
  void forget_words() { knows_words_ = false; }
  // What should be said at once: that the best pages lack words of the topic. "" if nothing is to
  // be said, or if it has been said.
  std::string alarm();

  std::vector<std::string> hints(const CrawlCounters& counters) const;

 private:
  void note_words(const Visit& visit);

  CoverageOfBest best_pages_;  // by relevance at fetch
  WordSet seen_ = 0;           // words of the topic that some page has
  bool knows_words_ = true, has_alarmed_ = false;
  size_t fetched_ = 0;
  double best_ = 0;  // relevance
};

}  // namespace dowser
