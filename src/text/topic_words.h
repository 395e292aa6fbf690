#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/terms.h"

namespace dowser {

// The words of a topic without the stop words of the language that they are in: the one that most
// of the stop words among them belong to, English if none stands out. Otherwise "the history of
// maps" would find "the" and "of" on pages in other languages, where they are not stop words. If
// nothing would be left, the text is returned as it is.
std::string without_stop_words(std::string_view words);

// A set of words of a topic, one bit for each.
using WordSet = uint16_t;

// The words of a topic that is given by words, each with the terms that it becomes in the languages
// that texts are analysed in. Tells quickly which of the words a page, a title or a link has.
class TopicWords {
 public:
  // More words than this are ignored. So are words that some language does not count at all.
  static constexpr size_t kMost = 16;

  TopicWords() = default;
  explicit TopicWords(std::string_view text);

  size_t size() const { return words_.size(); }
  bool empty() const { return words_.empty(); }
  const std::string& word(size_t number) const { return words_[number]; }

  WordSet in(std::span<const TermId> terms) const {
    WordSet found = 0;
    for (const TermId term : terms) found |= word_of(term);
    return found;
  }
  WordSet in(std::span<const TermCount> terms) const {
    WordSet found = 0;
    for (const TermCount& t : terms) found |= word_of(t.term);
    return found;
  }
  WordSet in(std::string_view text, std::string_view language) const;

  // The sum of the weights of some words, as a share of all weights; 0 if there are none.
  static double share(WordSet words, std::span<const double> weights);

 private:
  // Term ids are hashes, and hardly any term is one of ours: the filter says so for most.
  static constexpr size_t kFilter = 1024;
  WordSet word_of(TermId term) const { return filter_[term % kFilter] ? find(term) : WordSet{0}; }
  WordSet find(TermId term) const;

  std::vector<std::string> words_;
  std::vector<std::pair<TermId, WordSet>> terms_;  // sorted
  std::bitset<kFilter> filter_;
};

}  // namespace dowser
