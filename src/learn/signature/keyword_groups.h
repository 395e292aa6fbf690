#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/terms.h"

// Finds the groups of three keywords that a topic's texts are about. The method is described in the
// .cc file.

namespace dowser {

struct KeywordOptions {
  uint32_t heads = 5;         // of each document
  uint32_t correlates = 3;    // of each head; a group is a head and two of them
  uint32_t window = 10;       // words on either side
  double decay = 5;           // of f(d) = exp(-(d - 1) / decay)
  double spread = 0.25;       // a head occurs in at least this share of the training documents
  double near_spread = 0.25;  // likewise for the words near it
  bool per_document = false;  // correlates of a head from each of its documents apart
};

struct FoundGroup {
  std::array<TermId, 3> words;    // the head first
  std::array<double, 3> weights;  // as in KeywordGroup
};

using TermWeight = std::function<double(TermId)>;

// A document is its kept words in order. `idf` is the weight of a word, 1 for each where term
// frequency alone is to count. The groups come with the strongest head first.
std::vector<FoundGroup> keyword_groups(std::span<const std::vector<TermId>> training,
                                       const TermWeight& idf, const KeywordOptions& options = {});

// ln(|D| / df) over the documents of both sets together.
TermWeight inverse_document_frequency(std::span<const std::vector<TermId>> training,
                                      std::span<const std::vector<TermId>> background);

}  // namespace dowser
