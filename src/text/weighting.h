#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sparse_vector.h"
#include "text/vocabulary.h"

// Converts term counts to vectors. n is the number of occurrences of a term in the document, N the
// number of documents of the vocabulary, df the number of those that have the term, ln the natural
// logarithm.
//
//   tf           n
//   log-tf       1 + ln n
//   h1           n (log2(N / df) + 1), scaled to length 1: Liu, Janssen and Milios 2005, eq. 1
//   k2-4         n / words of the document * (1 + ln(N / df)): Küçük 2009, eq. 2-4
//   i2           n / words of the document * ln(N / df): Pinnamaneni 2013, chapter 2
//   log-tf-idf   (1 + ln n) ln(1 + N / df), scaled to length 1
//
// Terms that the vocabulary has not seen in any document (unknown, or df = 0) are left out of the
// vectors of every weighting except `tf` and `log-tf`, which keep known terms with df = 0. They
// count as words of the document in `k2-4` and `i2`.

namespace dowser {

enum class Weighting : uint8_t { kTf, kLogTf, kH1, kK24, kI2, kLogTfIdf };

// By one of the names above.
Result<Weighting> weighting_named(std::string_view name);
std::string_view name_of(Weighting weighting);
std::vector<Weighting> all_weightings();

SparseVector weigh(const TermCounts& counts, const Vocabulary& vocabulary, Weighting weighting);

}  // namespace dowser
