#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sparse_vector.h"
#include "base/terms.h"

// The terms by which pages, links and topics are compared: words without stop words, reduced to
// their stems by the rules of a language, as hashes. All functions are thread-safe.

namespace dowser {

TermId term_id(std::string_view term);

// The languages that texts are analysed in, English first: a topic's words are analysed in each.
const std::vector<std::string>& analysed_languages();
// The one of them that is used for a text in `language`.
std::string_view analysed_language(std::string_view language);

// The terms of a text in order, repeats included.
std::vector<TermId> term_ids(std::string_view text, std::string_view language);
void append_term_ids(std::string_view text, std::string_view language, std::vector<TermId>& ids);

// The same, each with its position. Pieces are separated by spaces and by `cuts` (sorted
// positions). So the terms of a range that begins and ends at a space or a cut are those whose
// position is in it.
std::vector<PlacedTerm> placed_terms(std::string_view text, std::string_view language,
                                     std::span<const uint32_t> cuts = {});

// The terms of all texts together, sorted by id.
std::vector<TermCount> count_terms(std::initializer_list<std::string_view> texts,
                                   std::string_view language);
std::vector<TermCount> count_terms(std::span<const PlacedTerm> terms,
                                   std::span<const TermId> others = {});

// Counts terms that come in any order.
class TermCounter {
 public:
  explicit TermCounter(size_t expected);  // about this many, repeats included

  void add(TermId term, uint32_t times = 1);
  size_t total() const { return total_; }  // repeats included

  std::vector<TermCount> sorted() &&;  // by id

 private:
  void grow();

  std::vector<TermCount> counts_;  // in the order in which they came first
  std::vector<uint32_t> slots_;    // open addressing, a power of two: index into counts_ + 1, or 0
  size_t total_ = 0;
};

// The terms of a text with the words they stand for, in order, repeats included.
struct Term {
  TermId id;
  std::string word;
};
std::vector<Term> text_terms(std::string_view text, std::string_view language);

// 1 + ln(count), so that a word that occurs fifty times does not decide alone.
double log_count(uint32_t count);
// That of each term.
SparseVector log_vector(std::span<const TermCount> terms);

}  // namespace dowser
