#include "strategy/link_distances.h"

#include <algorithm>
#include <bitset>
#include <numeric>

#include "base/hash.h"
#include "text/terms.h"

namespace dowser {
namespace {

void add(std::vector<KeywordInput>& inputs, uint32_t keyword, double value) {
  auto at = std::lower_bound(inputs.begin(), inputs.end(), keyword,
                             [](const KeywordInput& i, uint32_t k) { return i.keyword < k; });
  if (at == inputs.end() || at->keyword != keyword) at = inputs.insert(at, {keyword, 0});
  at->value += value;
}

constexpr size_t kMostMet = 1 << 17;  // 2 MB; with a quarter of it half the time goes to stems

// The keywords that a page has, by their terms. Nearly every word of it is none of them: a bit for
// its last eight bits tells most of these.
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

LinkDistances::LinkDistances(uint32_t rho) : rho_(rho), met_(kMostMet) {}

TermId LinkDistances::term_of(std::string_view word, std::string_view language,
                              uint64_t language_hash) {
  const uint64_t hash = hash64(word, language_hash);
  Met& met = met_[hash % kMostMet];
  if (met.word != hash) {
    met = {hash, 0};
    analyzer_.for_each_term(word, language,
                            [&](std::string_view term) { met.term = term_id(term); });
  }
  return met.term;
}

std::vector<std::vector<KeywordInput>> LinkDistances::inputs(const Page& page,
                                                             KeywordOf keyword_of) {
  std::vector<std::vector<KeywordInput>> inputs(page.links.size());
  if (page.links.empty()) return inputs;
  const PageKeywords keywords(page, keyword_of);
  if (keywords.empty()) return inputs;

  // Links stand in the order of their tags; those inside other links may begin before them.
  std::vector<size_t> order(page.links.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return page.links[a].anchor.begin < page.links[b].anchor.begin;
  });
  const std::string_view language = analysed_language(page.language);
  const uint64_t language_hash = hash64(language);
  const TokenOptions tokens = token_options_for(language);
  const int64_t count = static_cast<int64_t>(order.size());

  // Text that has distance 1 to the links from `first` to `last`: one for an anchor, two between.
  const auto read = [&](std::string_view text, int64_t first, int64_t last) {
    for_each_token(text, tokens, [&](std::string_view word) {
      const uint32_t keyword = keywords(term_of(word, language, language_hash));
      if (keyword == kNoKeyword) return;
      for (int64_t l = std::max<int64_t>(0, first - rho_ + 1);
           l < std::min<int64_t>(count, last + rho_); ++l) {
        const int64_t dist = 1 + (l < first ? first - l : l > last ? l - last : 0);
        add(inputs[order[static_cast<size_t>(l)]], keyword, 1.0 / static_cast<double>(dist));
      }
    });
  };
  const std::string_view text = page.text;
  uint32_t here = 0;
  for (int64_t l = 0; l < count; ++l) {
    const Span anchor = page.links[order[static_cast<size_t>(l)]].anchor;
    if (anchor.begin > here) read(text.substr(here, anchor.begin - here), l - 1, l);
    here = std::max(here, anchor.begin);
    if (anchor.end > here) read(text.substr(here, anchor.end - here), l, l);
    here = std::max(here, anchor.end);
  }
  if (here < text.size()) read(text.substr(here), count - 1, count);
  return inputs;
}

}  // namespace dowser
