#include "strategy/infospiders/link_distances.h"

#include <algorithm>
#include <bitset>
#include <numeric>

namespace dowser {
namespace {

void add(std::vector<KeywordInput>& inputs, uint32_t keyword, double value) {
  auto at = std::lower_bound(inputs.begin(), inputs.end(), keyword,
                             [](const KeywordInput& i, uint32_t k) { return i.keyword < k; });
  if (at == inputs.end() || at->keyword != keyword) at = inputs.insert(at, {keyword, 0});
  at->value += value;
}

// The keywords that a page has, by their terms. Almost no word of a page is a keyword; a bit set
// over the last eight bits of the terms rules out most of them quickly.
class PageKeywords {
 public:
  PageKeywords(const Page& page, KeywordOf keyword_of) {
    for (const TermCount& t : page.terms) {
      const uint32_t keyword = keyword_of(t.term);
      if (keyword == kNoKeyword) continue;
      terms_.push_back({t.term, keyword});
      bits_.set(t.term & 255);
    }
  }
  bool empty() const { return terms_.empty(); }
  uint32_t operator()(TermId term) const {
    if (!bits_.test(term & 255)) return kNoKeyword;
    const auto at = std::lower_bound(terms_.begin(), terms_.end(), term,
                                     [](const auto& t, TermId id) { return t.first < id; });
    return at != terms_.end() && at->first == term ? at->second : kNoKeyword;
  }

 private:
  std::vector<std::pair<TermId, uint32_t>> terms_;
  std::bitset<256> bits_;
};

}  // namespace

std::vector<std::vector<KeywordInput>> keyword_inputs(const Page& page, uint32_t rho,
                                                      KeywordOf keyword_of) {
  std::vector<std::vector<KeywordInput>> inputs(page.links.size());
  if (page.links.empty()) return inputs;
  const PageKeywords keywords(page, keyword_of);
  if (keywords.empty()) return inputs;

  // Links are in the order of their tags; links inside other links may begin before them.
  std::vector<size_t> order(page.links.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return page.links[a].anchor.begin < page.links[b].anchor.begin;
  });
  const int64_t count = static_cast<int64_t>(order.size());

  // Text at distance 1 of the links from `first` to `last`: one link for an anchor, two for the
  // text between links.
  const auto read = [&](Span text, int64_t first, int64_t last) {
    for (const PlacedTerm& term : page.terms_in(text)) {
      const uint32_t keyword = keywords(term.id);
      if (keyword == kNoKeyword) continue;
      for (int64_t l = std::max<int64_t>(0, first - rho + 1); l < std::min(count, last + rho);
           ++l) {
        const int64_t dist = 1 + (l < first ? first - l : l > last ? l - last : 0);
        add(inputs[order[static_cast<size_t>(l)]], keyword, 1.0 / static_cast<double>(dist));
      }
    }
  };
  const auto size = static_cast<uint32_t>(page.text.size());
  uint32_t here = 0;
  for (int64_t l = 0; l < count; ++l) {
    const Span anchor = page.links[order[static_cast<size_t>(l)]].anchor;
    if (anchor.begin > here) read({here, anchor.begin}, l - 1, l);
    here = std::max(here, anchor.begin);
    if (anchor.end > here) read({here, anchor.end}, l, l);
    here = std::max(here, anchor.end);
  }
  if (here < size) read({here, size}, count - 1, count);
  return inputs;
}

}  // namespace dowser
