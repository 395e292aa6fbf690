#include "text/terms.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "text/analyzer.h"

namespace dowser {
namespace {

// An analyzer is for one thread, but these functions may be called from any, so each thread has
// one.
Analyzer& analyzer() {
  thread_local Analyzer instance;
  return instance;
}

std::vector<TermCount> counted(std::vector<TermId> ids) {
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

bool is_blank(char c) { return c == ' ' || c == '\n'; }

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
  // Without stop words and a stemmer for it: English rules leave foreign words almost unchanged.
  return analysed_languages().front();
}

void append_term_ids(std::string_view text, std::string_view language, std::vector<TermId>& ids) {
  analyzer().for_each_term(text, analysed_language(language),
                           [&](std::string_view term) { ids.push_back(term_id(term)); });
}

std::vector<TermId> term_ids(std::string_view text, std::string_view language) {
  std::vector<TermId> ids;
  append_term_ids(text, language, ids);
  return ids;
}

// Piece by piece, because the analyzer does not report positions; no token extends over a space.
std::vector<PlacedTerm> placed_terms(std::string_view text, std::string_view language,
                                     std::span<const uint32_t> cuts) {
  std::vector<PlacedTerm> terms;
  terms.reserve(text.size() / 8);
  language = analysed_language(language);
  Analyzer& pieces = analyzer();
  auto cut = cuts.begin();
  for (size_t begin = 0; begin < text.size();) {
    if (is_blank(text[begin])) {
      ++begin;
      continue;
    }
    while (cut != cuts.end() && *cut <= begin) ++cut;
    const size_t limit = cut == cuts.end() ? text.size() : std::min<size_t>(*cut, text.size());
    size_t end = begin + 1;
    while (end < limit && !is_blank(text[end])) ++end;
    pieces.for_each_term(text.substr(begin, end - begin), language, [&](std::string_view term) {
      terms.push_back({term_id(term), static_cast<uint32_t>(begin)});
    });
    begin = end;
  }
  return terms;
}

std::vector<TermCount> count_terms(std::initializer_list<std::string_view> texts,
                                   std::string_view language) {
  std::vector<TermId> ids;
  for (const std::string_view text : texts) {
    ids.reserve(ids.size() + text.size() / 8);
    append_term_ids(text, language, ids);
  }
  return counted(std::move(ids));
}

std::vector<TermCount> count_terms(std::span<const PlacedTerm> terms,
                                   std::span<const TermId> others) {
  std::vector<TermId> ids(others.begin(), others.end());
  ids.reserve(ids.size() + terms.size());
  for (const PlacedTerm& term : terms) ids.push_back(term.id);
  return counted(std::move(ids));
}

std::vector<TermCount> count_terms(std::vector<TermId> ids) { return counted(std::move(ids)); }

std::vector<Term> text_terms(std::string_view text, std::string_view language) {
  // The same words twice, as stems and as written. Stop words are removed before stemming, so the
  // two lists correspond.
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
