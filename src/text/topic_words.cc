#include "text/topic_words.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "text/stop_words.h"
#include "text/terms.h"
#include "text/tokens.h"

namespace dowser {
namespace {

// Words between white space: the text as it is, and as one token for the lists.
struct Word {
  std::string_view text;
  std::string token;
};

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_not_of(" \t\n", at);
    if (begin == text.npos) break;
    const size_t end = std::min(text.find_first_of(" \t\n", begin), text.size());
    Word& word = words.emplace_back();
    word.text = text.substr(begin, end - begin);
    for_each_token(word.text, {}, [&](std::string_view token) { word.token = token; });
    at = end;
  }
  return words;
}

}  // namespace

std::string without_stop_words(std::string_view text) {
  const std::vector<Word> words = words_of(text);
  const StopWords* best = &stop_words("en");
  size_t most = 0;
  for (const std::string& language : analysed_languages()) {
    const StopWords& stops = stop_words(language);
    size_t hits = 0;
    for (const Word& word : words) hits += stops.contains(word.token);
    if (hits > most) {  // English comes first, so it wins a tie
      most = hits;
      best = &stops;
    }
  }
  std::string kept;
  for (const Word& word : words) {
    if (!best->contains(word.token)) (kept += kept.empty() ? "" : " ") += word.text;
  }
  return kept.empty() ? std::string(text) : kept;
}

TopicWords::TopicWords(std::string_view text) {
  std::map<std::string, std::set<TermId>> terms;
  std::map<std::string, size_t> languages;
  for (const std::string& language : analysed_languages()) {
    std::set<std::string> here;
    for (const Term& term : text_terms(text, language)) {
      terms[term.word].insert(term.id);
      if (here.insert(term.word).second) ++languages[term.word];
    }
  }
  // In the order in which the user gave them; two with the same English stem are one word.
  std::set<TermId> stems;
  for (const Term& term : text_terms(text, analysed_languages().front())) {
    if (languages[term.word] < analysed_languages().size()) continue;
    if (words_.size() == kMost || !stems.insert(term.id).second) continue;
    const auto word = static_cast<WordSet>(1u << words_.size());
    words_.push_back(term.word);
    for (const TermId id : terms[term.word]) terms_.emplace_back(id, word);
  }
  std::sort(terms_.begin(), terms_.end());
  for (const auto& [term, word] : terms_) filter_.set(term % kFilter);
}

WordSet TopicWords::in(std::string_view text, std::string_view language) const {
  return in(term_ids(text, language));
}

WordSet TopicWords::find(TermId term) const {
  WordSet found = 0;
  for (auto at = std::lower_bound(terms_.begin(), terms_.end(), std::pair(term, WordSet{0}));
       at != terms_.end() && at->first == term; ++at) {
    found |= at->second;
  }
  return found;
}

double TopicWords::share(WordSet words, std::span<const double> weights) {
  double sum = 0, all = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    all += weights[i];
    if (words >> i & 1) sum += weights[i];
  }
  return all > 0 ? sum / all : 0;
}

}  // namespace dowser
