#pragma once

#include <string>
#include <utility>
#include <vector>

#include "learn/hmm_file.h"
#include "text/terms.h"

// A small model of browsing, for tests that run every strategy.

namespace dowser {

struct MadeBrowsing {
  std::vector<std::string> pages;                    // the words of each
  std::vector<std::pair<uint32_t, uint32_t>> links;  // each with the words of the page it leads to
  size_t targets = 1;                                // the first so many pages
};

inline HmmFile made_browsing(const MadeBrowsing& made) {
  std::vector<std::vector<TermCount>> terms;
  for (const std::string& words : made.pages) terms.push_back(count_terms({words}, "en"));
  HmmTraining training;
  training.pages.assign(terms.begin(), terms.end());
  training.links = made.links;
  for (const auto& [from, to] : made.links) training.link_words.push_back(terms[to]);
  for (size_t i = 0; i < terms.size(); ++i) training.is_target.push_back(i < made.targets);
  HmmFile file{.model = *HmmModel::train(training)};
  file.words.resize(file.model.space().parts().terms.size(), "word");
  file.addresses.resize(terms.size(), "http://a.test/");
  file.clusters.resize(file.model.clusters());
  return file;
}

}  // namespace dowser
