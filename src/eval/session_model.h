#pragma once

#include "base/result.h"
#include "eval/draw.h"
#include "learn/hmm_file.h"

// What the strategy hmm is given in a comparison: the model of the sessions of a draw.

namespace dowser {

struct SessionModelOptions {
  HmmOptions hmm;
  bool all_links = true;  // between any two pages, not only between those of one session
  // Layers of pages that lead to the first pages of the sessions, which are learned from as if they
  // had been visited, with at most `most` pages each. 0: none.
  size_t back_layers = 0;
  size_t most = 100;
};

// Targets are the examples; pages and links those of the sessions that sought them.
Result<HmmFile> session_model(const HeldWeb& web, const Draw& draw,
                              const SessionModelOptions& options);

// The measures of Liu, Janssen and Milios 2005 over the pages that a crawl fetched, in the reduced
// space of the model.
struct TargetSimilarity {
  std::vector<char> is_near;    // by node: greatest cosine to a target at least `threshold`
  std::vector<double> nearest;  // by node: that cosine
  // By target, then by node.
  std::vector<std::vector<float>> to_target;
};
TargetSimilarity target_similarity(const HeldWeb& web, const HmmModel& model, double threshold);

// A model that only shows that a text form is right.
HmmFile any_model();

}  // namespace dowser
