#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/counters.h"
#include "model/topic.h"
#include "model/visit.h"

namespace dowser {

// Hints for a person whose crawl finds less than expected: sentences that say what is wrong and
// what to try. One thread.
class CrawlHints {
 public:
  explicit CrawlHints(const Topic& topic);

  // A page has come back and was judged.
  void learn(const Visit& visit);
  // Some visits of an earlier run are not known, so no word is called missing from now on.
  void forget_words() { missing_.clear(); }

  std::vector<std::string> hints(const CrawlCounters& counters) const;

 private:
  // Words of the topic that no page has had so far, with their terms in all languages.
  std::map<std::string, std::set<TermId>> missing_;
  size_t fetched_ = 0, last_found_ = 0;  // fetches, and that of the newest relevant page
  double best_ = 0;                      // relevance
};

}  // namespace dowser
