#include "judge/page_terms.h"

#include <algorithm>

#include "base/hash.h"
#include "text/analyzer.h"

namespace dowser {
namespace {

// An analyzer is for one thread; judges are for all.
Analyzer& analyzer() {
  thread_local Analyzer instance;
  return instance;
}

}  // namespace

TermId term_id(std::string_view term) { return static_cast<TermId>(hash64(term)); }

const std::vector<std::string>& analysed_languages() {
  static const std::vector<std::string> languages = {"en", "da", "de", "es", "fi", "fr", "hu", "it",
                                                     "nl", "no", "pt", "ro", "ru", "sv", "tr"};
  return languages;
}

std::string_view analysed_language(const Page& page) {
  for (const std::string& language : analysed_languages()) {
    if (language == page.language) return language;
  }
  // No stop words or stems of ours for it: English rules leave foreign words nearly as they are.
  return analysed_languages().front();
}

std::vector<TermCount> page_terms(const Page& page) {
  std::vector<TermId> ids;
  ids.reserve(page.text.size() / 8);
  const std::string_view language = analysed_language(page);
  const auto add = [&](std::string_view term) { ids.push_back(term_id(term)); };
  analyzer().for_each_term(page.title, language, add);
  analyzer().for_each_term(page.text, language, add);
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
  analyzer().for_each_term(text, language, [&](std::string_view term) {
    terms.push_back({term_id(term), ""});
  });
  size_t next = 0;
  unstemmed.for_each_term(text, language, [&](std::string_view word) {
    if (next < terms.size()) terms[next++].word = word;
  });
  return terms;
}

}  // namespace dowser
