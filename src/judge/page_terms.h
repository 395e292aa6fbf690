#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/page.h"

// The words that a judge looks at.

namespace dowser {

// A term (a stem) by its hash: pages are compared by their terms, and only those of the topic are
// ever shown, so the others need no text. Two of a page's few hundred terms share a hash once in
// 100,000 pages.
using TermId = uint32_t;
TermId term_id(std::string_view term);

struct TermCount {
  TermId term;
  uint32_t count;
};

// The terms of the page's title and visible text, in order of id. The page's language decides on
// stop words and stems. May be called from any thread.
std::vector<TermCount> page_terms(const Page& page);

// The terms of a text with the words they stand for, in order, repeats included.
struct Term {
  TermId id;
  std::string word;
};
std::vector<Term> text_terms(std::string_view text, std::string_view language);

// The languages that pages are analysed in, English first: a topic's words are prepared for each.
const std::vector<std::string>& analysed_languages();
std::string_view analysed_language(const Page& page);

}  // namespace dowser
