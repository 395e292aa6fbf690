#include "judge/signature/keyword_finder.h"

#include <algorithm>
#include <set>
#include <string>

#include "text/stems.h"
#include "text/terms.h"

// A page comes with its terms, which are stems, and their places. The words of most libraries are
// not stemmed, so they cannot be looked up among the terms; but if "nesting" is a keyword, it can
// only occur where the stem "nest" occurs. So the terms are visited one by one, each of which
// is one kept word, and only a piece of text (the text between two blanks) with the stem of a
// keyword is read: "nests" is, "owls" is not. The words of a stemmed library are the terms
// themselves, and nothing is read.
//
// Terms are also separated where a link begins or ends, and words are not: "<a>owl</a>s" is one
// word and two terms. A block in which a link divides a word is read as a whole. So are all pages
// if synonyms are replaced, since the terms do not know them.
//
// Stems depend on the language of the page, so there is a filter for each.

namespace dowser {
namespace {

constexpr uint32_t kFilterMask = (1 << 16) - 1;

bool may_contain(const std::vector<uint64_t>& filter, TermId term) {
  const uint32_t bit = term & kFilterMask;
  return filter[bit >> 6] >> (bit & 63) & 1;
}

bool is_blank(char c) { return c == ' ' || c == '\n'; }

// Whether a word may extend over it. Bytes of other scripts may be anything.
bool is_of_a_word(char c) {
  return !is_blank(c) && std::string_view(".,;:()\"?!").find(c) == std::string_view::npos;
}

// Where links begin or end inside a word, sorted.
std::vector<uint32_t> divided_words(const Page& page) {
  std::vector<uint32_t> places;
  for (const Link& link : page.links) {
    for (const uint32_t place : {link.anchor.begin, link.anchor.end}) {
      if (place > 0 && place < page.text.size() && is_of_a_word(page.text[place - 1]) &&
          is_of_a_word(page.text[place])) {
        places.push_back(place);
      }
    }
  }
  std::sort(places.begin(), places.end());
  return places;
}

bool is_divided(const std::vector<uint32_t>& places, Span text) {
  const auto next = std::upper_bound(places.begin(), places.end(), text.begin);
  return next != places.end() && *next < text.end;
}

size_t number_of(std::string_view language) {
  size_t i = 0;
  while (analysed_languages()[i] != language) ++i;
  return i;
}

}  // namespace

KeywordFinder::KeywordFinder(std::span<const Signature> library, const GroupScanner& scanner)
    : words_(library.front().settings),
      scanner_(scanner),
      is_stemmed_(library.front().settings.stemming) {
  const SignatureSettings& settings = library.front().settings;
  if (!settings.synonyms.empty()) return;
  std::set<std::string> keywords;
  for (const Signature& s : library) keywords.insert(s.words.begin(), s.words.end());
  for (const std::string& language : analysed_languages()) {
    Stemmer stemmer(language);
    Filter& filter = filters_.emplace_back((kFilterMask + 1) / 64);
    for (const std::string& keyword : keywords) {
      const TermId stem = term_id(stemmer.stem(keyword));
      filter[(stem & kFilterMask) >> 6] |= uint64_t{1} << (stem & 63);
    }
  }
}

std::vector<GroupScanner::Event> KeywordFinder::find(const Page& page) const {
  std::vector<GroupScanner::Event> events;
  uint32_t position = 0;
  const bool has_terms = !filters_.empty() && !page.placed_terms.empty();
  const Filter* filter =
      has_terms ? &filters_[number_of(analysed_language(page.language))] : nullptr;
  const std::vector<uint32_t> divided = filter ? divided_words(page) : std::vector<uint32_t>();
  for (const Block& block : page.blocks) {
    if (!words_.counts(page, block)) continue;
    if (filter && !is_divided(divided, block.text)) {
      find_in(page, block, *filter, position, events);
    } else {
      words_.add_keywords(page, block.text, scanner_, position, events);
    }
  }
  return events;
}

void KeywordFinder::find_in(const Page& page, const Block& block, const Filter& filter,
                            uint32_t& position, std::vector<GroupScanner::Event>& events) const {
  const std::span<const PlacedTerm> terms = page.terms_in(block.text);
  for (size_t i = 0; i < terms.size();) {
    const uint32_t place = terms[i].place;
    if (is_stemmed_) {
      scanner_.add(terms[i++].id, position++, events);
      continue;
    }
    bool is_candidate = false;
    size_t end = i;
    for (; end < terms.size() && terms[end].place == place; ++end) {
      is_candidate |= may_contain(filter, terms[end].id);
    }
    if (is_candidate) {
      uint32_t blank = place;
      const uint32_t limit =
          end < terms.size() ? terms[end].place : static_cast<uint32_t>(block.text.end);
      while (blank < limit && !is_blank(page.text[blank])) ++blank;
      words_.add_keywords(page, {place, blank}, scanner_, position, events);
    } else {
      position += static_cast<uint32_t>(end - i);
    }
    i = end;
  }
}

}  // namespace dowser
