#include "mine/topics/topic_candidates.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <map>
#include <set>

#include "learn/frequent_sets.h"
#include "text/char_kind.h"
#include "text/stop_words.h"
#include "text/tokens.h"
#include "text/utf8.h"

// From list items to candidates (Uluhan 2006, chapter V, after Liu, Chin and Ng 2003).
//
// Mode of words. An item is the set of its words: in lower case, split at hyphens, without stop
// words, reduced to stems if wanted. Apriori finds the sets of at most three words that occur
// together in items of enough pages. A set is a candidate only if some item consists of exactly
// these words: words that always come with others are part of a concept, not one themselves. The
// set has no order, so the phrase is taken from the items: every shortest stretch of an item that
// holds the words of the set and no other word, except stop words, is a use, and the most frequent
// use wins.
//
//   Theory of computation | The theory of computation | Computation theory | Complexity theory
//
// With support 2 the sets {theory}, {computation} and {computation, theory} are frequent. No item
// is "theory" or "computation" alone. {computation, theory} has the uses "theory of computation"
// (twice) and "computation theory", so the candidate is "theory of computation".
//
// Mode of phrases. An item is one unit, its words in order. An item that occurs on enough pages is
// a candidate.
//
// Parameters: three words as in the thesis. The thesis does not say which support it used; it calls
// it an absolute count, and the same for 50, 100 and 200 pages. Here it is counted in pages, so
// that one page with a long list has one vote, and pages that nearly repeat one another have one
// together.
//
// What differs: the parser of the thesis removed hyphens, so "zero-sum" became "zerosum", for which
// a search engine finds nothing. Here a hyphen separates words when items are compared and stays in
// the phrase.
//
// Cost: Apriori, and then for every item its sets of at most three words.

namespace dowser {
namespace {

// A word of an item: where it occurs in the text, and what it counts as.
struct Word {
  size_t begin = 0, end = 0;
  uint32_t number = 0;  // kStop for stop words
};
constexpr uint32_t kStop = 0xffffffff;

using Set = std::vector<uint32_t>;

// Words as stretches of the text between separators; a hyphen within a word separates as well.
template <class Use>
void for_each_stretch(std::string_view text, Use use) {
  size_t begin = 0;
  bool in_word = false;
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = decode_utf8(text.substr(i));
    const CharKind kind = char_kind(c.value);
    const bool part = kind != CharKind::kSeparator && kind != CharKind::kHyphen && c.well_formed;
    if (part && !in_word) begin = i;
    if (!part && in_word) use(begin, i);
    in_word = part;
    i += c.length;
  }
  if (in_word) use(begin, text.size());
}

class Preparation {
 public:
  explicit Preparation(bool stem) : stem_(stem) {}

  std::vector<Word> words(std::string_view text, const std::string& language) {
    const StopWords& stop = stop_words(language.empty() ? "en" : language);
    std::vector<Word> result;
    for_each_stretch(text, [&](size_t begin, size_t end) {
      for_each_token(text.substr(begin, end - begin), {}, [&](std::string_view token) {
        if (stop.contains(token) || english_.contains(token)) {
          result.push_back({begin, end, kStop});
          return;
        }
        const std::string_view key = stem_ ? stemmer_.stem(token) : token;
        result.push_back(
            {begin, end,
             numbers_.try_emplace(std::string(key), static_cast<uint32_t>(numbers_.size()))
                 .first->second});
      });
    });
    return result;
  }

 private:
  const bool stem_;
  Stemmer stemmer_{"porter"};
  const StopWords& english_ = stop_words("en");
  absl::flat_hash_map<std::string, uint32_t> numbers_;
};

Set set_of(const std::vector<Word>& words) {
  Set set;
  for (const Word& word : words) {
    if (word.number != kStop) set.push_back(word.number);
  }
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

std::string lower(std::string_view text) {
  std::string result;
  for_each_token(text, {.digits = true, .max_length = kLongestToken}, [&](std::string_view token) {
    if (!result.empty()) result += ' ';
    result += token;
  });
  return result;
}

// How a phrase is written. Case and punctuation make no other use of it; hyphens make another
// spelling, and case yet another.
class Uses {
 public:
  void add(std::string_view text) {
    std::string spelling(text);
    for (char& c : spelling) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    Count& use = uses_[lower(text)];
    ++use.times;
    Count& form = use.below[spelling];
    ++form.times;
    ++form.below[std::string(text)].times;
  }
  // The most frequent spelling of the most frequent use; of equal ones the first by name.
  std::string best() const {
    const Count* use = most_frequent(uses_).second;
    return use ? most_frequent(most_frequent(use->below).second->below).first : "";
  }

 private:
  struct Count {
    size_t times = 0;
    std::map<std::string, Count> below;
  };

  static std::pair<std::string, const Count*> most_frequent(
      const std::map<std::string, Count>& counts) {
    std::pair<std::string, const Count*> best{"", nullptr};
    for (const auto& [name, count] : counts) {
      if (!best.second || count.times > best.second->times) best = {name, &count};
    }
    return best;
  }

  std::map<std::string, Count> uses_;
};

// The stretch with the rest of the words that hyphens join to its ends: "zero" is a stop word, but
// "zero-sum game" is no "sum game".
std::string_view with_hyphens(std::string_view text, size_t begin, size_t end) {
  const auto joins = [&](size_t at) {  // a hyphen between two parts of a word
    return at > 0 && at + 1 < text.size() && text[at] == '-' && text[at - 1] != ' ' &&
           text[at + 1] != ' ';
  };
  while (begin > 1 && joins(begin - 1)) {
    --begin;
    while (begin > 0 && text[begin - 1] != ' ' && text[begin - 1] != '-') --begin;
  }
  while (end < text.size() && joins(end)) {
    ++end;
    while (end < text.size() && text[end] != ' ' && text[end] != '-') ++end;
  }
  return text.substr(begin, end - begin);
}

// The shortest stretch that holds all of `set` and, stop words aside, nothing else.
std::string_view use_of(const Set& set, const std::vector<Word>& words, std::string_view text) {
  std::string_view best;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!std::binary_search(set.begin(), set.end(), words[i].number)) continue;
    std::set<uint32_t> seen;
    for (size_t j = i; j < words.size(); ++j) {
      const uint32_t number = words[j].number;
      if (number == kStop) continue;
      if (!std::binary_search(set.begin(), set.end(), number)) break;
      seen.insert(number);
      if (seen.size() < set.size()) continue;
      const auto stretch = with_hyphens(text, words[i].begin, words[j].end);
      if (best.empty() || stretch.size() < best.size()) best = stretch;
      break;
    }
  }
  return best;
}

// Calls back with every subset of at most `most` numbers.
template <class Use>
void for_each_subset(const Set& set, size_t most, Set& subset, size_t from, Use& use) {
  if (!subset.empty()) use(subset);
  if (subset.size() == most) return;
  for (size_t i = from; i < set.size(); ++i) {
    subset.push_back(set[i]);
    for_each_subset(set, most, subset, i + 1, use);
    subset.pop_back();
  }
}

uint32_t group_of(const ListItems& items, size_t item, SupportBy by) {
  const ItemPage& page = items.pages[items.items[item].page];
  switch (by) {
    case SupportBy::kPages:
      return page.group;
    case SupportBy::kHosts:
      return page.host;
    case SupportBy::kItems:
      break;
  }
  return static_cast<uint32_t>(item);
}

void add_equal_item(const ListItems& items, uint32_t item, TopicCandidate& to) {
  to.items.push_back(item);
  to.starred |= items.items[item].starred;
}

TopicCandidates candidates_by_words(const ListItems& items, std::string_view keyword,
                                    const CandidateOptions& options) {
  Preparation preparation(options.stem);
  const Set keyword_set = set_of(preparation.words(keyword, ""));
  std::vector<std::vector<Word>> words;
  std::vector<Set> sets;
  std::vector<uint32_t> groups;
  for (size_t i = 0; i < items.items.size(); ++i) {
    const ListItem& item = items.items[i];
    words.push_back(preparation.words(item.text, items.pages[item.page].language));
    sets.push_back(set_of(words.back()));
    groups.push_back(group_of(items, i, options.by));
  }
  FrequentSetOptions apriori;
  apriori.support = options.support;
  apriori.largest = options.most_words;
  apriori.stop = options.stop;
  const FrequentSets frequent = frequent_sets(sets, apriori, groups);

  struct Found {
    TopicCandidate candidate;
    Uses uses;
  };
  absl::flat_hash_map<Set, Found> found;
  for (const FrequentSet& set : frequent.sets) {
    if (set.items != keyword_set) found[set.items].candidate.support = set.support;
  }
  for (size_t i = 0; i < sets.size(); ++i) {
    if (options.stop()) return {{}, false};
    const auto equal = found.find(sets[i]);
    if (equal != found.end()) {
      add_equal_item(items, static_cast<uint32_t>(i), equal->second.candidate);
    }
    Set subset;
    const auto count_use = [&](const Set& part) {
      const auto it = found.find(part);
      if (it == found.end()) return;
      const std::string_view use = use_of(part, words[i], items.items[i].text);
      if (!use.empty()) it->second.uses.add(use);
    };
    for_each_subset(sets[i], options.most_words, subset, 0, count_use);
  }
  TopicCandidates result;
  result.complete = frequent.complete;
  for (auto& [set, entry] : found) {
    if (entry.candidate.items.empty()) continue;
    entry.candidate.phrase = entry.uses.best();
    if (!entry.candidate.phrase.empty()) result.candidates.push_back(std::move(entry.candidate));
  }
  return result;
}

// From the first word to the last: "Theory of games" of "– Theory of games."
std::string_view without_edges(std::string_view text) {
  size_t first = text.size(), last = 0;
  for_each_stretch(text, [&](size_t begin, size_t end) {
    first = std::min(first, begin);
    last = end;
  });
  return first < last ? text.substr(first, last - first) : std::string_view();
}

TopicCandidates candidates_by_phrases(const ListItems& items, std::string_view keyword,
                                      const CandidateOptions& options) {
  struct Found {
    TopicCandidate candidate;
    Uses uses;
    std::set<uint32_t> groups;
  };
  std::map<std::string, Found> found;
  for (size_t i = 0; i < items.items.size(); ++i) {
    if (options.stop()) return {{}, false};
    const std::string key = lower(items.items[i].text);
    if (key.empty() || key == lower(keyword)) continue;
    Found& entry = found[key];
    add_equal_item(items, static_cast<uint32_t>(i), entry.candidate);
    entry.uses.add(without_edges(items.items[i].text));
    entry.groups.insert(group_of(items, i, options.by));
  }
  TopicCandidates result;
  for (auto& [key, entry] : found) {
    if (entry.groups.size() < options.support) continue;
    entry.candidate.support = entry.groups.size();
    entry.candidate.phrase = entry.uses.best();
    result.candidates.push_back(std::move(entry.candidate));
  }
  return result;
}

}  // namespace

TopicCandidates topic_candidates(const ListItems& items, std::string_view keyword,
                                 const CandidateOptions& options) {
  TopicCandidates result = options.phrases ? candidates_by_phrases(items, keyword, options)
                                           : candidates_by_words(items, keyword, options);
  std::sort(result.candidates.begin(), result.candidates.end(),
            [](const TopicCandidate& a, const TopicCandidate& b) {
              return a.support != b.support ? a.support > b.support : a.phrase < b.phrase;
            });
  return result;
}

}  // namespace dowser
