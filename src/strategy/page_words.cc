#include "strategy/page_words.h"

#include <algorithm>

namespace dowser {

PageWords::PageWords(const Page& page) {
  std::vector<uint32_t> cuts;
  cuts.reserve(2 * page.links.size());
  for (const Link& link : page.links) {
    cuts.push_back(link.anchor.begin);
    cuts.push_back(link.anchor.end);
  }
  // They nearly are: an anchor that is a title or lies in another link may stand elsewhere.
  std::sort(cuts.begin(), cuts.end());
  terms_ = placed_terms(page.text, page.language, cuts);
}

std::span<const PlacedTerm> PageWords::in(Span span) const {
  const auto before = [](const PlacedTerm& term, uint32_t place) { return term.place < place; };
  const auto begin = std::lower_bound(terms_.begin(), terms_.end(), span.begin, before);
  return {begin, std::lower_bound(begin, terms_.end(), span.end, before)};
}

std::span<const PlacedTerm> PageWords::around(const Page& page, const Link& link, int n) const {
  const Page::Context context = page.context(link, n);
  return in({link.anchor.begin - static_cast<uint32_t>(context.before.size()),
             link.anchor.end + static_cast<uint32_t>(context.after.size())});
}

}  // namespace dowser
