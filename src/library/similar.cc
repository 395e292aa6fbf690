#include "library/similar.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text/search_words.h"
#include "text/stop_words.h"
#include "text/utf8.h"

// The words of the item are weighted by tf·idf: (1 + ln n) · ln(N / d) for a word that occurs n
// times in the item and in d of the N items; a word of the title counts as three. The 25 heaviest
// become a query in which any of them may match, and BM25 scores the matches, each word times its
// weight. This is what search engines call "more like this". It needs no vectors of the other
// items, so nothing has to be stored for it: the cost is that of one query with 25 words.
//
// A word of Chinese and Japanese is a pair of neighbouring characters here, since a single one says
// little.

namespace dowser {
namespace {

constexpr size_t kCandidates = 150;  // words that are looked up, the most frequent first
constexpr size_t kWords = 25;
constexpr double kOfTitle = 3;
constexpr size_t kShortest = 3;  // letters

bool is_number(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

using Counts = absl::flat_hash_map<std::string, double>;

void count(std::string_view text, const StopWords& stop, double weight, Counts& counts) {
  std::string before;  // the ideograph before this word
  for_each_search_word(text, [&](std::string_view word) {
    if (is_ideograph(decode_utf8(word).value)) {
      if (!before.empty()) counts[fmt::format("{} {}", before, word)] += weight;
      before = word;
      return;
    }
    before.clear();
    if (word.size() < kShortest || is_number(word) || stop.contains(word)) return;
    counts[std::string(word)] += weight;
  });
}

// In how many items a word, or a pair of characters, stands.
Result<uint64_t> items_with(LibraryReader& library, const std::string& word) {
  if (word.find(' ') == word.npos) return library.items_with(word);
  uint64_t items = 0;
  const Status read =
      library.for_each_match(fmt::format("\"{}\"", word), [&](int64_t) { ++items; });
  if (!read) return read.error();
  return items;
}

struct Weighted {
  std::string word;
  double weight = 0;
};

// The heaviest first; of two that weigh the same, the first in the alphabet.
void keep_heaviest(std::vector<Weighted>& words, size_t most) {
  std::sort(words.begin(), words.end(), [](const Weighted& a, const Weighted& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.word < b.word;
  });
  if (words.size() > most) words.resize(most);
}

}  // namespace

Result<SimilarItems> search_similar(LibraryReader& library, const LibraryItem& item,
                                    std::string_view text, const SearchOptions& options) {
  const StopWords& stop = stop_words(item.language.empty() ? "en" : item.language);
  Counts counts;
  count(item.title, stop, kOfTitle, counts);
  count(text, stop, 1, counts);
  std::vector<Weighted> words;
  for (const auto& [word, n] : counts) words.push_back({word, n});
  keep_heaviest(words, kCandidates);
  for (Weighted& word : words) {
    const Result<uint64_t> items = items_with(library, word.word);
    if (!items) return items.error();
    // A word that no other item has finds nothing.
    const double idf =
        *items < 2 ? 0
                   : std::log(static_cast<double>(library.items()) / static_cast<double>(*items));
    word.weight = (1 + std::log(std::max(1.0, word.weight))) * std::max(0.0, idf);
  }
  std::erase_if(words, [](const Weighted& word) { return word.weight <= 0; });
  keep_heaviest(words, kWords);
  SimilarItems similar;
  if (words.empty()) return similar;
  std::vector<WeightedPhrase> phrases;
  for (const Weighted& word : words) {
    Query phrase;
    phrase.words = search_words(word.word);  // a pair of characters is two
    phrases.push_back({std::move(phrase), word.weight / words.front().weight});
    similar.words.push_back(word.word);
  }
  Result<LibraryHits> found = search_any(library, phrases, item.id, options);
  if (!found) return found.error();
  similar.found = std::move(*found);
  return similar;
}

}  // namespace dowser
