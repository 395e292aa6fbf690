#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"

namespace dowser {

// Words that say nothing about a topic: articles, pronouns, prepositions, conjunctions, auxiliary
// verbs.
class StopWords {
 public:
  StopWords() = default;
  // Words between white space, in lower case. The text must outlive the object.
  explicit StopWords(std::string_view words);

  bool contains(std::string_view lower_case_token) const;
  size_t size() const { return words_.size(); }

 private:
  absl::flat_hash_set<std::string_view> words_;
  size_t longest_ = 0;
};

// The list of a language by its ISO 639-1 code, empty for languages without one. The English list
// is that of the CINDI Robot (Chen 2008); the others are ours. The object is never destroyed.
const StopWords& stop_words(std::string_view language);

// The codes of the languages that have a list.
std::vector<std::string_view> stop_word_languages();

}  // namespace dowser
