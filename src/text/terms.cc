#include "text/terms.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "text/analyzer.h"

namespace dowser {
namespace {

// An analyzer is for one thread; these functions are for all.
Analyzer& analyzer() {
  thread_local Analyzer instance;
  return instance;
}

void append_ids(std::string_view text, std::string_view language, std::vector<TermId>& ids) {
  analyzer().for_each_term(text, analysed_language(language),
                           [&](std::string_view term) { ids.push_back(term_id(term)); });
}

}  // namespace

TermId term_id(std::string_view term) { return static_cast<TermId>(hash64(term)); }

const std::vector<std::string>& analysed_languages() {
  static const std::vector<std::string> languages = {"en", "da", "de", "es", "fi", "fr", "hu", "it",
                                                     "nl", "no", "pt", "ro", "ru", "sv", "tr"};
  return languages;
}

std::string_view analysed_language(std::string_view language) {
  for (const std::string& analysed : analysed_languages()) {
    if (analysed == language) return analysed;
  }
  // No stop words or stems of ours for it: English rules leave foreign words nearly as they are.
  return analysed_languages().front();
}

std::vector<TermId> term_ids(std::string_view text, std::string_view language) {
  std::vector<TermId> ids;
  append_ids(text, language, ids);
  return ids;
}

std::vector<TermCount> count_terms(std::initializer_list<std::string_view> texts,
                                   std::string_view language) {
  std::vector<TermId> ids;
  for (const std::string_view text : texts) {
    ids.reserve(ids.size() + text.size() / 8);
    append_ids(text, language, ids);
  }
  std::sort(ids.begin(), ids.end());
  std::vector<TermCount> counts;
  for (size_t i = 0; i < ids.size();) {
    size_t end = i;
    while (end < ids.size() && ids[end] == ids[i]) ++end;
    counts.push_back({ids[i], static_cast<uint32_t>(end - i)});
    i = end;
  }
  return counts;
}

std::vector<Term> text_terms(std::string_view text, std::string_view language) {
  // The same words twice, stems and as written: stop words go before stems are made, so they pair
  // up.
  AnalyzerOptions options;
  options.stemming = Stemming::kNone;
  thread_local Analyzer unstemmed(options);
  std::vector<Term> terms;
  for (const TermId id : term_ids(text, language)) terms.push_back({id, ""});
  size_t next = 0;
  unstemmed.for_each_term(text, analysed_language(language), [&](std::string_view word) {
    if (next < terms.size()) terms[next++].word = word;
  });
  return terms;
}

SparseVector log_vector(std::span<const TermCount> terms) {
  std::vector<SparseVector::Entry> entries;
  entries.reserve(terms.size());
  for (const TermCount& t : terms) {
    entries.push_back({t.term, 1 + std::log(static_cast<double>(t.count))});
  }
  return SparseVector(std::move(entries));
}

}  // namespace dowser
