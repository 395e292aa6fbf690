#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "learn/cluster_words.h"
#include "learn/hmm_model.h"

// A model of browsing as a file, with information about it for people. The form is described in the
// .cc file.

namespace dowser {

struct HmmFile {
  static constexpr std::string_view kKind = "hmm";

  struct Word {
    std::string word;
    double value = 0;
  };
  struct Cluster {
    std::vector<Word> by_log_odds, by_mutual_information;  // strongest first
  };

  HmmModel model;
  std::vector<std::string> topics;  // that the sessions were about, as far as they say
  uint32_t sessions = 0;            // that it was learned from
  uint32_t links = 0;               // between their pages
  double smoothing = 0;
  uint64_t seed = 0;
  std::vector<std::string> words;      // of the terms of the space, in their order
  std::vector<std::string> addresses;  // of the training pages
  std::vector<Cluster> clusters;
};

std::string hmm_file_text(const HmmFile& file);
Result<HmmFile> read_hmm_file(std::string_view text);

}  // namespace dowser
