#include "strategy/learned/link_words.h"

#include <algorithm>
#include <bit>

namespace dowser {
namespace {

constexpr size_t kContextTerms = 6;  // on either side of a link; about ten words with stop words

}  // namespace

void LinkWords::read(const Page& page) {
  const std::span<const PlacedTerm> terms = page.placed_terms;
  const size_t mask = std::bit_ceil(2 * terms.size() + 1) - 1;
  seen_.assign(mask + 1, {});
  places_.assign(terms.size(), {0, UINT32_MAX});
  for (uint32_t place = 0; place < terms.size(); ++place) {
    size_t at = terms[place].id & mask;  // term ids are hashes
    while (seen_[at].end != 0 && seen_[at].id != terms[place].id) at = (at + 1) & mask;
    Seen& seen = seen_[at];
    if (seen.end != 0) {
      places_[place].before_end = seen.end;
      places_[seen.end - 1].next = place;
    }
    seen = {terms[place].id, place + 1};
  }
}

LinkWords::Words LinkWords::of(const Page& page, const Link& link) {
  const std::span<const PlacedTerm> terms = page.placed_terms;
  const std::span<const PlacedTerm> anchor = page.terms_in(link.anchor);
  const auto begin = static_cast<size_t>(anchor.data() - terms.data());
  const size_t end = begin + anchor.size();
  const size_t first = begin - std::min(begin, kContextTerms);
  const size_t last = std::min(end + kContextTerms, terms.size());
  words_.clear();
  for (size_t i = begin; i < end; ++i) {
    if (places_[i].before_end <= begin) words_.push_back(terms[i].id);
  }
  const size_t of_anchor = words_.size();
  for (size_t i = first; i < begin; ++i) {
    if (places_[i].next >= end) words_.push_back(terms[i].id);
  }
  for (size_t i = end; i < last; ++i) {
    if (places_[i].before_end <= first) words_.push_back(terms[i].id);
  }
  return {words_, of_anchor};
}

}  // namespace dowser
