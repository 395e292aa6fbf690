#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sparse_vector.h"
#include "base/terms.h"

// The terms by which pages, links and topics are compared: words without stop words, cut to their
// stems by the rules of a language, as hashes. All functions may be called from any thread.

namespace dowser {

TermId term_id(std::string_view term);

// The languages that texts are analysed in, English first: a topic's words are prepared for each.
const std::vector<std::string>& analysed_languages();
// Which of them serves for a text in `language`.
std::string_view analysed_language(std::string_view language);

// The terms of a text in order, repeats included.
std::vector<TermId> term_ids(std::string_view text, std::string_view language);
void append_term_ids(std::string_view text, std::string_view language, std::vector<TermId>& ids);

// The same, each with its place. Pieces are what stands between blanks, parted again at `cuts`
// (places, in order). So the terms of a range that begins and ends at a blank or a cut are those
// whose place is in it.
std::vector<PlacedTerm> placed_terms(std::string_view text, std::string_view language,
                                     std::span<const uint32_t> cuts = {});

// The terms of all texts together, in order of id.
std::vector<TermCount> count_terms(std::initializer_list<std::string_view> texts,
                                   std::string_view language);
std::vector<TermCount> count_terms(std::span<const PlacedTerm> terms,
                                   std::span<const TermId> others = {});

// The terms of a text with the words they stand for, in order, repeats included.
struct Term {
  TermId id;
  std::string word;
};
std::vector<Term> text_terms(std::string_view text, std::string_view language);

// 1 + ln(count) for each: a word that stands there fifty times does not decide alone.
SparseVector log_vector(std::span<const TermCount> terms);

}  // namespace dowser
