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

// Signs that always separate words.
bool is_sign(char c) {
  return c == '.' || c == ',' || c == ';' || c == ':' || c == '(' || c == ')' || c == '"' ||
         c == '?' || c == '!';
}

// The first blank at or after `at`, eight bytes at a time; `limit` if there is none before it.
size_t find_blank(std::string_view text, size_t at, size_t limit) {
  constexpr uint64_t kOnes = 0x0101010101010101ULL;
  const auto has_byte = [](uint64_t bytes, char c) {
    const uint64_t zero_where_equal = bytes ^ (kOnes * static_cast<uint8_t>(c));
    return (zero_where_equal - kOnes) & ~zero_where_equal & (kOnes << 7);
  };
  for (; at + 8 <= limit; at += 8) {
    uint64_t bytes;
    std::memcpy(&bytes, text.data() + at, 8);
    if (has_byte(bytes, ' ') | has_byte(bytes, '\n')) break;
  }
  while (at < limit && !is_blank(text[at])) ++at;
  return at;
}

// A piece is the text between two blanks, and its terms depend on nothing else but the language.
// Texts repeat their pieces, so most of them are found here, without looking for words, stop words
// and stems in them: direct-mapped, two entries for each cache line. Long pieces, and those of more
// than two terms, are not kept.
class PieceMemo {
 public:
  // The terms of a piece of the text; `make(piece, terms)` appends them if they are not known.
  template <class Make>
  std::span<const TermId> terms_of(std::string_view text, size_t begin, size_t size,
                                   const Make& make) {
    const std::string_view piece = text.substr(begin, size);
    if (size > kLongest) return made(piece, make);
    const Key key =
        begin + sizeof(Key) <= text.size() ? key_of(piece.data(), size) : key_at_end(piece);
    Entry& entry = entries_[slot_of(key)];
    if (key_of(entry.piece, kLongest) != key) {
      const std::span<const TermId> terms = made(piece, make);
      if (terms.size() > std::size(entry.terms)) return terms;
      std::memcpy(entry.piece, &key, kLongest);
      entry.count = static_cast<uint8_t>(terms.size());
      std::copy(terms.begin(), terms.end(), entry.terms);
    }
    return {entry.terms, entry.count};
  }

 private:
  static constexpr int kBits = 15;
  static constexpr size_t kLongest = 23;

  // The bytes of a piece and zeros after them.
  struct Key {
    uint64_t words[3];
    friend bool operator==(const Key&, const Key&) = default;
  };
  // A free entry looks like that of a piece of zeros, which has no terms either.
  struct Entry {
    char piece[kLongest];
    uint8_t count;
    TermId terms[2];
  };
  static_assert(sizeof(Key) == kLongest + 1 && sizeof(Entry) == 32);

  // Reads more than the piece and clears what is not of it, which is faster than to copy `size`
  // bytes: sizeof(Key) bytes can be read.
  static Key key_of(const char* piece, size_t size) {
    static constexpr auto kMasks = [] {
      std::array<uint8_t, 2 * sizeof(Key)> masks{};
      for (size_t i = 0; i < sizeof(Key); ++i) masks[i] = 0xFF;
      return masks;
    }();
    Key key, mask;
    std::memcpy(&key, piece, sizeof(Key));
    std::memcpy(&mask, kMasks.data() + sizeof(Key) - size, sizeof(Key));
    for (size_t i = 0; i < 3; ++i) key.words[i] &= mask.words[i];
    return key;
  }
  static Key key_at_end(std::string_view piece) {
    Key key{};
    std::memcpy(&key, piece.data(), piece.size());
    return key;
  }
  static size_t slot_of(const Key& key) {
    const uint64_t hash = key.words[0] * 0x9e3779b97f4a7c15ULL +
                          key.words[1] * 0xa0761d6478bd642fULL +
                          key.words[2] * 0xe7037ed1a0b428dbULL;
    return (hash ^ hash >> 32) * 0xbf58476d1ce4e5b9ULL >> (64 - kBits);
  }

  template <class Make>
  std::span<const TermId> made(std::string_view piece, const Make& make) {
    made_.clear();
    make(piece, made_);
    return made_;
  }

  std::vector<Entry> entries_ = std::vector<Entry>(size_t{1} << kBits);
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
    const size_t end = find_blank(text, begin + 1, limit);
    // Signs at its ends change nothing, and without them more pieces are the same.
    size_t first = begin, last = end;
    while (last > first && is_sign(text[last - 1])) --last;
    while (first < last && is_sign(text[first])) ++first;
    for (const TermId id : memo.terms_of(text, first, last - first, make)) {
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
