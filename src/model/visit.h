#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/document.h"
#include "model/page.h"
#include "model/response.h"
#include "model/score.h"
#include "model/url.h"

namespace dowser {

// How a waiting link was found. `parent` is the visited page whose offer won; a seed has none.
struct Trail {
  std::optional<VisitId> parent;
  uint32_t depth = 0;     // links from a seed along the winning offers
  uint32_t position = 0;  // of the link in its parent
};

// A link that is waiting or has just been chosen.
struct Candidate {
  Url url;
  Score score;
  Trail trail;
  uint64_t sequence = 0;  // its number in the frontier, in the order of offers
  uint32_t mark = 0;      // set by the strategy that chose it, for its own use; 0 while it waits
};

// The verdict of a judge on a page.
struct Judgement {
  // A word of the page (or other evidence), and what it added to the relevance.
  struct Reason {
    std::string word;
    double weight = 0;
  };

  Relevance relevance;
  bool relevant = false;  // relevance reached the judge's threshold
  std::string label;      // of the class, for judges that know several
  // The dozen strongest words first, then the others together: the weights add up to the relevance.
  std::vector<Reason> reasons;
};

// The complete result of one fetch. Every candidate that was fetched becomes one Visit, even if
// there was no answer (then the page is empty and the judgement is "not relevant").
struct Visit {
  VisitId id;
  Candidate candidate;
  std::vector<Response>
      redirects;  // the answers that led from candidate.url to response.url, in order
  Response response;
  Page page;
  Judgement judgement;
  std::optional<VisitId> near_duplicate_of;  // the first visit with (nearly) the same words
  bool soft_404 = false;                     // "not found" with status 200
  std::optional<Document> document;  // where the answer is one; its text is that of the page

  // There is an answer, and it is a page that the crawl did not have before: neither a near
  // duplicate nor a soft 404. Only such pages count: strategies and judges learn from them.
  bool is_new_page() const { return response.ok() && !near_duplicate_of && !soft_404; }

  // A new page that is on the topic, which is what the crawl is looking for.
  bool found() const { return judgement.relevant && is_new_page(); }
};

}  // namespace dowser
