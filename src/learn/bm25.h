#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/sparse_vector.h"
#include "base/terms.h"

namespace dowser {

// How well a document matches a few words, as search engines rank documents for a query: BM25
// (Robertson and Zaragoza 2009).
//
//   score = sum over the words of  rarity · n / (n + k (1 − b + b · length / average length))
//
// n is how often the document has the word, and length the number of its words. k = 1.2 and
// b = 0.75 are the usual values. A cosine divides by the norm of the whole document instead, so
// that a long document scores low however often it has the words.
class Bm25 {
 public:
  struct Word {
    uint32_t feature = 0;
    double rarity = 0;
  };

  // The words are sorted by feature, each once.
  Bm25(std::vector<Word> words, double average_length)
      : words_(std::move(words)), average_length_(average_length) {}

  // Counts are sorted by feature. The score only orders documents.
  double score(std::span<const TermCount> counts) const;
  double score(const SparseVector& counts) const;

 private:
  const std::vector<Word> words_;
  const double average_length_;
};

// The number of words of a document.
double length_of(std::span<const TermCount> counts);
double length_of(const SparseVector& counts);

}  // namespace dowser
