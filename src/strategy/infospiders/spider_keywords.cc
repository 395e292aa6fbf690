#include "strategy/infospiders/spider_keywords.h"

#include <algorithm>
#include <map>

#include "base/sparse_vector.h"
#include "strategy/infospiders/link_distances.h"
#include "text/terms.h"

namespace dowser {

SpiderKeywords::SpiderKeywords(const Topic& topic, size_t most) {
  add_words(topic.words);
  add_examples(topic.examples, most);
  of_topic_ = keywords_.size();
  double total = 0;
  for (const Keyword& k : keywords_) total += k.weight;
  for (Keyword& k : keywords_) k.weight *= static_cast<double>(keywords_.size()) / total;
}

void SpiderKeywords::add_words(const std::string& words) {
  std::map<std::string, uint32_t> numbers;  // by word as written
  for (const std::string& language : analysed_languages()) {
    for (const Term& t : text_terms(words, language)) {
      const auto [at, is_new] = numbers.emplace(t.word, static_cast<uint32_t>(keywords_.size()));
      if (is_new && numbers_.contains(t.id)) at->second = numbers_[t.id];  // "bird" and "birds"
      add_term(at->second, t.id);
    }
  }
}

void SpiderKeywords::add_examples(const std::vector<Page>& examples, size_t most) {
  SparseVector total;
  for (const Page& page : examples) total = sum(total, log_vector(page.terms).normalised());
  std::vector<SparseVector::Entry> strongest(total.entries().begin(), total.entries().end());
  std::sort(strongest.begin(), strongest.end(), [](const auto& a, const auto& b) {
    return a.value != b.value ? a.value > b.value : a.index < b.index;
  });
  const size_t words = keywords_.size();
  // A word of the topic weighs as much as the strongest term.
  for (Keyword& k : keywords_) k.weight = strongest.empty() ? 1 : strongest.front().value;
  for (const auto& term : strongest) {
    if (keywords_.size() >= std::max(most, words)) break;
    if (numbers_.contains(term.index)) continue;
    add_term(static_cast<uint32_t>(keywords_.size()), term.index);
    keywords_.back().weight = term.value;
  }
}

void SpiderKeywords::add_term(uint32_t keyword, TermId term) {
  if (!numbers_.emplace(term, keyword).second) return;
  if (keyword == keywords_.size()) keywords_.emplace_back();
  keywords_[keyword].terms.push_back(term);
}

uint32_t SpiderKeywords::number_of(TermId term) const {
  const auto at = numbers_.find(term);
  return at == numbers_.end() ? kNoKeyword : at->second;
}

uint32_t SpiderKeywords::add(TermId term) {
  add_term(static_cast<uint32_t>(keywords_.size()), term);
  return numbers_[term];
}

uint32_t SpiderKeywords::count(uint32_t keyword, std::span<const TermCount> terms) const {
  uint32_t count = 0;
  for (const TermId term : keywords_[keyword].terms) {
    const auto at = std::lower_bound(terms.begin(), terms.end(), term,
                                     [](const TermCount& t, TermId id) { return t.term < id; });
    if (at != terms.end() && at->term == term) count += at->count;
  }
  return count;
}

void SpiderKeywords::save(ByteWriter& out) const {
  out.number(static_cast<uint32_t>(keywords_.size() - of_topic_));
  for (size_t i = of_topic_; i < keywords_.size(); ++i) out.number(keywords_[i].terms.front());
}

void SpiderKeywords::load(ByteReader& in) {
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) add(in.number<TermId>());
}

}  // namespace dowser
