#pragma once

#include <memory>

#include "learn/hmm_model.h"
#include "strategy/strategy.h"

// The crawler itself, for hmm and hmm-alldata alike. It is described in hmm.cc.

namespace dowser {

// What goes beyond the paper.
struct HmmCrawlOptions {
  bool all_parents = false;  // the mean over all pages that link to a page, not the winning one
  bool link_words = false;   // the words of a link are a second observation
  bool vote_shares = false;  // a page may belong to several clusters, by the shares of the votes
  // Pages that are as near to a target as this cosine become targets themselves; 0: none do.
  double new_targets = 0;
};

// The model outlives the strategy.
std::unique_ptr<Strategy> make_hmm_crawler(Spec spec, const HmmModel& model,
                                           const HmmCrawlOptions& options);
// It keeps the model.
std::unique_ptr<Strategy> make_hmm_crawler(Spec spec, std::unique_ptr<const HmmModel> model);

}  // namespace dowser
