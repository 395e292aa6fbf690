// libstemmer takes a few hundred nanoseconds for a word, ten times as long as finding the word.
// Texts repeat words (a hundred words make up half of English text), so a small cache avoids almost
// all of it: direct-mapped, one cache line for each entry, without eviction or allocation. Long
// words are not cached.

#include "text/stems.h"

#include <libstemmer.h>

#include <array>
#include <cstring>

#include "base/hash.h"

namespace dowser {
namespace {

constexpr size_t kEntries = 8192;
constexpr size_t kLongest = 31;

struct Entry {
  uint8_t word_size;  // 0: the entry is free
  uint8_t stem_size;
  char word[kLongest];
  char stem[kLongest];
};
static_assert(sizeof(Entry) == 64);

sb_stemmer* as_stemmer(void* algorithm) { return static_cast<sb_stemmer*>(algorithm); }

}  // namespace

struct Stemmer::Cache {
  alignas(64) std::array<Entry, kEntries> entries{};
};

void Stemmer::Delete::operator()(void* algorithm) const {
  sb_stemmer_delete(as_stemmer(algorithm));
}

Stemmer::Stemmer(std::string_view algorithm) {
  if (algorithm == "nb" || algorithm == "nn") algorithm = "no";
  algorithm_.reset(sb_stemmer_new(std::string(algorithm).c_str(), nullptr));
}
Stemmer::~Stemmer() = default;
Stemmer::Stemmer(Stemmer&&) noexcept = default;
Stemmer& Stemmer::operator=(Stemmer&&) noexcept = default;

std::string_view Stemmer::stem(std::string_view word) {
  if (algorithm_ == nullptr || word.empty()) return word;
  if (word.size() > kLongest) return uncached_stem(word);
  if (cache_ == nullptr) cache_ = std::make_unique<Cache>();
  Entry& entry = cache_->entries[hash64(word) % kEntries];
  if (entry.word_size != word.size() || std::memcmp(entry.word, word.data(), word.size()) != 0) {
    const std::string_view stem = uncached_stem(word);
    if (stem.size() > kLongest) return stem;
    entry.word_size = static_cast<uint8_t>(word.size());
    entry.stem_size = static_cast<uint8_t>(stem.size());
    std::memcpy(entry.word, word.data(), word.size());
    std::memcpy(entry.stem, stem.data(), stem.size());
  }
  return {entry.stem, entry.stem_size};
}

std::string_view Stemmer::uncached_stem(std::string_view word) {
  const auto* stem =
      sb_stemmer_stem(as_stemmer(algorithm_.get()), reinterpret_cast<const sb_symbol*>(word.data()),
                      static_cast<int>(word.size()));
  const int size = stem == nullptr ? 0 : sb_stemmer_length(as_stemmer(algorithm_.get()));
  if (size <= 0) return word;
  return {reinterpret_cast<const char*>(stem), static_cast<size_t>(size)};
}

}  // namespace dowser
