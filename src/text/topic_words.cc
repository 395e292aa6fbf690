#include "text/topic_words.h"

#include <algorithm>
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

}  // namespace dowser
