#include "library/word_forms.h"

#include <algorithm>

#include "text/stems.h"

// The index has words as they stand in the texts, so that a phrase in quotation marks is found
// exactly. A word without quotation marks is replaced, when it is searched for, by all words of the
// library that have its stem: nest becomes nest, nests, nested and nesting.
//
// A query does not say in which language it is. So a word is a form of another if they have the
// same stem in one of the languages in which at least a tenth of the items are written. A stem
// nearly always begins like its words, apart from its last letter ("flies" and "fly" have the stem
// "fli"), so only words with the beginning of the stem are looked at.
//
// Example: in a library of English and German texts, "gene" finds "genes" by the English stem
// "gene", and "gen" is no form of it.
//
// Cost: the stems of some hundred words for each word of the query, less than a millisecond.

namespace dowser {
namespace {

constexpr double kLeastShare = 0.1;   // of the items, in a language
constexpr size_t kShortestWord = 3;   // in bytes; shorter ones have no forms
constexpr size_t kShortestStart = 2;  // of a stem
constexpr size_t kMostForms = 50;

bool has_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The stem without its last letter, which may differ from that of the words.
std::string_view beginning_of(std::string_view stem) {
  size_t end = stem.size() - 1;
  while (end > 0 && (static_cast<uint8_t>(stem[end]) & 0xC0) == 0x80) --end;
  return stem.substr(0, end);
}

class FormFinder {
 public:
  FormFinder(LibraryReader& library, const std::vector<std::string>& languages)
      : library_(library) {
    for (const std::string& language : languages) stemmers_.emplace_back(language);
  }

  Status find(Query& query) {
    for (Query& part : query.parts) {
      if (Status s = find(part); !s) return s;
    }
    if (query.kind != Query::Kind::kPhrase || !query.any_form) return {};
    const std::string& word = query.words.front();
    query.forms = {word};
    if (word.size() < kShortestWord || has_digit(word)) return {};
    for (Stemmer& stemmer : stemmers_) {
      if (Status s = add_forms(stemmer, word, query.forms); !s) return s;
    }
    return {};
  }

 private:
  Status add_forms(Stemmer& stemmer, const std::string& word, std::vector<std::string>& forms) {
    const std::string stem(stemmer.stem(word));
    const std::string_view beginning = beginning_of(stem);
    if (beginning.size() < kShortestStart) return {};
    return library_.for_each_word(beginning, [&](std::string_view other) {
      if (forms.size() >= kMostForms || has_digit(other) || stemmer.stem(other) != stem) return;
      if (std::find(forms.begin(), forms.end(), other) == forms.end()) forms.emplace_back(other);
    });
  }

  LibraryReader& library_;
  std::vector<Stemmer> stemmers_;
};

}  // namespace

Status find_forms(LibraryReader& library, Query& query) {
  const Result<std::vector<std::string>> languages = library.languages(kLeastShare);
  if (!languages) return languages.error();
  return FormFinder(library, *languages).find(query);
}

}  // namespace dowser
