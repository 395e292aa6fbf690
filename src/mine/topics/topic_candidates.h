#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mine/topics/list_items.h"

// Phrases that occur in the lists of many pages. The essay is in topic_candidates.cc.

namespace dowser {

enum class SupportBy : uint8_t { kPages, kItems, kHosts };

struct CandidateOptions {
  bool phrases = false;  // a whole item is the unit, instead of its words
  bool stem = false;     // Porter (1980), in the mode of words
  SupportBy by = SupportBy::kPages;
  size_t support = 2;
  size_t most_words = 3;  // of a candidate, in the mode of words, without stop words
  std::function<bool()> stop = [] { return false; };
};

struct TopicCandidate {
  std::string phrase;  // as it is used most, hyphens and stop words included
  size_t support = 0;  // pages (near duplicates once), items, or hosts
  bool starred = false;
  std::vector<uint32_t> items;  // indices into ListItems::items of those that equal it
};

struct TopicCandidates {
  std::vector<TopicCandidate> candidates;  // the one with the highest support first
  bool complete = true;                    // false: `stop` ended the search
};

// The keyword itself is not among them.
TopicCandidates topic_candidates(const ListItems& items, std::string_view keyword,
                                 const CandidateOptions& options);

}  // namespace dowser
