#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/terms.h"
#include "text/topic_words.h"

// The meanings that the finds of a crawl have. Someone who asks for "mercury" gets a planet, a
// metal and a god, and means one of them. Used by the final judgement (run/final_judgement.cc),
// which names the meanings; a person then chooses one with --sense. The .cc file describes how they
// are told apart.

namespace dowser {

struct Sense {
  std::vector<TermId> words;    // that its pages have and those of the other meanings have not
  std::vector<uint32_t> pages;  // numbers of finds, the most typical ones first
};

// The meanings of the finds, the most frequent one first; empty if all finds mean the same, or if
// they are too few to tell. `others` are pages of the crawl that are not relevant.
std::vector<Sense> senses_of(std::span<const std::vector<TermCount>> finds,
                             std::span<const std::vector<TermCount>> others,
                             const TopicWords& topic);

}  // namespace dowser
