#include "text/terms.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>

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

bool is_blank(char c) { return c == ' ' || c == '\n'; }

// A piece is what stands between two blanks, and its terms depend on nothing else but the language.
// Texts repeat their pieces, so most of them are found here, without looking for words, stop words
// and stems in them: direct-mapped, two entries for each cache line. Long pieces, and those of more
// than two terms, are not kept.
class PieceMemo {
 public:
  // The terms of the piece; `make(piece, terms)` appends them if they are not known.
  template <class Make>
  std::span<const TermId> terms_of(std::string_view piece, const Make& make) {
    if (piece.size() > kLongest) return made(piece, make);
    Entry key{};
    std::memcpy(key.piece, piece.data(), piece.size());
    Entry& entry = (*entries_)[hash64(piece) % kEntries];
    if (std::memcmp(entry.piece, key.piece, kLongest) != 0) {
      const std::span<const TermId> terms = made(piece, make);
      if (terms.size() > std::size(key.terms)) return terms;
      key.count = static_cast<uint8_t>(terms.size());
      std::copy(terms.begin(), terms.end(), key.terms);
      entry = key;
    }
    return {entry.terms, entry.count};
  }

 private:
  static constexpr size_t kEntries = 16384;
  static constexpr size_t kLongest = 23;

  // Zeros follow the piece. A free entry looks like one of zeros alone, which has no terms either.
  struct Entry {
    char piece[kLongest];
    uint8_t count;
    TermId terms[2];
  };
  static_assert(sizeof(Entry) == 32);

  template <class Make>
  std::span<const TermId> made(std::string_view piece, const Make& make) {
    made_.clear();
    make(piece, made_);
    return made_;
  }

  std::unique_ptr<std::array<Entry, kEntries>> entries_ =
      std::make_unique<std::array<Entry, kEntries>>();
  std::vector<TermId> made_;
};

// That of one of the analysed languages; each thread has its own.
PieceMemo& memo_for(std::string_view language) {
  thread_local std::vector<std::unique_ptr<PieceMemo>> memos(analysed_languages().size());
  size_t i = 0;
  while (analysed_languages()[i] != language) ++i;
  if (!memos[i]) memos[i] = std::make_unique<PieceMemo>();
  return *memos[i];
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
  PieceMemo& memo = memo_for(language);
  const auto make = [language](std::string_view piece, std::vector<TermId>& ids) {
    append_term_ids(piece, language, ids);
  };
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
    for (const TermId id : memo.terms_of(text.substr(begin, end - begin), make)) {
      terms.push_back({id, static_cast<uint32_t>(begin)});
    }
    begin = end;
  }
  return terms;
}

TermCounter::TermCounter(size_t expected)
    : slots_(std::bit_ceil(std::max<size_t>(16, 2 * expected))) {
  counts_.reserve(expected / 2);
}

// Terms are hashes: their last bits are as good as any.
void TermCounter::add(TermId term, uint32_t times) {
  if (times == 0) return;
  total_ += times;
  const size_t mask = slots_.size() - 1;
  size_t at = term & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask) {
    TermCount& known = counts_[slots_[at] - 1];
    if (known.term != term) continue;
    known.count += times;
    return;
  }
  counts_.push_back({term, times});
  slots_[at] = static_cast<uint32_t>(counts_.size());
  if (2 * counts_.size() > slots_.size()) grow();
}

void TermCounter::grow() {
  slots_.assign(2 * slots_.size(), 0);
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < counts_.size(); ++i) {
    size_t at = counts_[i].term & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = static_cast<uint32_t>(i + 1);
  }
}

std::vector<TermCount> TermCounter::sorted() && {
  std::sort(counts_.begin(), counts_.end(),
            [](const TermCount& a, const TermCount& b) { return a.term < b.term; });
  return std::move(counts_);
}

std::vector<TermCount> count_terms(std::initializer_list<std::string_view> texts,
                                   std::string_view language) {
  std::vector<TermId> ids;
  for (const std::string_view text : texts) {
    ids.reserve(ids.size() + text.size() / 8);
    append_term_ids(text, language, ids);
  }
  TermCounter counter(ids.size());
  for (const TermId id : ids) counter.add(id);
  return std::move(counter).sorted();
}

std::vector<TermCount> count_terms(std::span<const PlacedTerm> terms,
                                   std::span<const TermId> others) {
  TermCounter counter(terms.size() + others.size());
  for (const PlacedTerm& term : terms) counter.add(term.id);
  for (const TermId id : others) counter.add(id);
  return std::move(counter).sorted();
}

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

// Few words stand on a page more often.
double log_count(uint32_t count) {
  static const std::array<double, 64> known = [] {
    std::array<double, 64> logs{};
    for (size_t i = 1; i < logs.size(); ++i) logs[i] = 1 + std::log(static_cast<double>(i));
    return logs;
  }();
  return count - 1 < known.size() - 1 ? known[count] : 1 + std::log(static_cast<double>(count));
}

SparseVector log_vector(std::span<const TermCount> terms) {
  std::vector<SparseVector::Entry> entries;
  entries.reserve(terms.size());
  for (const TermCount& t : terms) {
    entries.push_back({t.term, log_count(t.count)});
  }
  return SparseVector(std::move(entries));
}

}  // namespace dowser
