#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mine/topics/list_items.h"
#include "mine/topics/topic_candidates.h"
#include "mine/topics/topic_scores.h"
#include "model/page.h"
#include "seed/search_provider.h"

// Finds the sub-topics of a keyword in the lists of pages about it (Uluhan 2006, chapter V):
// gather pages, take list items, find candidates, score them by numbers of pages.

namespace dowser {

// When is a page about the keyword?
enum class KeywordMatch : uint8_t {
  kPhrase,  // if it has the phrase
  kWords,   // if it has all words of it, in any place
  // By phrase; but by words in a collection in which most candidates are more frequent than the
  // phrase, so that they would be Type III although their topic is not rare.
  kAuto,
};

struct TopicOptions {
  size_t pages = 100;  // usable ones: HTML that could be read
  size_t lists = 0;    // stop after the page with which this many lists were read; 0: no limit
  std::string domain;  // only pages of it
  KeywordMatch match = KeywordMatch::kAuto;
  DigitRule digits;  // of list items
  CandidateOptions candidates;
  // Keeps rows of forms, words that are only parts of items (topic_rules.h), adjectives and names.
  bool as_printed = false;
  TypeRule types;
};

// A page that was brought; nothing if it failed or is not HTML.
using UsePage = std::function<bool(std::optional<Page>)>;  // false: no more are wanted
struct TopicSources {
  SearchProvider* search = nullptr;  // who names pages for a keyword; null: `addresses` are given
  std::vector<Url> addresses;
  // Calls back with every page, in any order.
  std::function<Status(std::span<const Url>, const UsePage&)> bring;
  SearchProvider* counts = nullptr;  // whose numbers of pages are used
};

struct ScoredTopic {
  TopicCandidate candidate;
  TopicCounts counts;
  TopicScores scores;
  bool is_in_prose = true;       // of a page about the keyword, outside its lists and tables
  double by_chance = 0;          // pages with both that the provider expects by chance
  std::optional<Chance> chance;  // in a collection
  bool is_left_out = false;      // while it is counted: a row of a form, a name and the like
  TopicType type = TopicType::kThree;
};

struct TopicsFound {
  std::string keyword;
  std::vector<std::string> keyword_parts;  // what a page about it holds: the phrase, or each word
  std::string search, counts;          // text forms of the providers; "" where addresses were given
  std::optional<uint64_t> collection;  // pages that the counts are of; nothing: a web
  std::optional<uint64_t> keyword_count;
  size_t failed = 0;  // addresses that gave no usable page
  size_t usable = 0;  // pages, noisy ones included
  size_t noisy = 0;
  size_t repeated = 0;  // pages that nearly repeat another
  ListItems items;
  // Type I by S1, then Type II by S1, in a collection those that stand in prose first, then Type
  // III by support.
  std::vector<ScoredTopic> topics;
  size_t counted = 0;       // candidates, those that were left out included
  size_t too_frequent = 0;  // of these: more frequent than the keyword
  size_t rows = 0;          // candidates that were left out: rows of forms,
  size_t parts = 0;         // single words that are only parts of items or adjectives,
  size_t names = 0;         // and names of people
  size_t candidates_tested =
      0;  // those that are not Type III: the p-value's limit is divided by it
  std::vector<std::string> warnings;

  size_t of_type(TopicType type) const;
};

// Called often; false ends the work. `of` is 0 if it is not known.
using TopicProgress = std::function<bool(std::string_view step, size_t done, size_t of)>;

// Nothing: `progress` ended it.
Result<std::optional<TopicsFound>> find_topics(std::string_view keyword,
                                               const TopicSources& sources,
                                               const TopicOptions& options,
                                               const TopicProgress& progress);

// Scores, types and order of topics whose counts are set. `support` is what a candidate needed.
void score_topics(TopicsFound& found, size_t support, const TypeRule& rule);

}  // namespace dowser
