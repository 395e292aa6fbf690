#include "judge/trained/learned_judge.h"

#include <algorithm>
#include <cmath>

#include "absl/container/flat_hash_set.h"
#include "text/terms.h"

namespace dowser {

void add_words(const Page& page, TermWords& words, size_t most) {
  for (const std::string* text : {&page.title, &page.text}) {
    if (words.size() >= most) return;
    for (Term& t : text_terms(*text, page.language)) {
      if (words.size() >= most) return;
      words.emplace(t.id, std::move(t.word));
    }
  }
}

void add_words(std::string_view text, TermWords& words) {
  for (const std::string& language : analysed_languages()) {
    for (Term& t : text_terms(text, language)) words.emplace(t.id, std::move(t.word));
  }
}

void save_words(const TermWords& words, ByteWriter& out) {
  std::vector<TermId> terms;
  for (const auto& [term, word] : words) terms.push_back(term);
  std::sort(terms.begin(), terms.end());
  out.number(static_cast<uint32_t>(terms.size()));
  for (const TermId term : terms) {
    out.number(term);
    out.text(words.at(term));
  }
}

void load_words(ByteReader& in, TermWords& words) {
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    const TermId term = in.number<TermId>();
    words.emplace(term, in.text());
  }
}

std::vector<Judgement::Reason> strongest_of(const TermWords& words, const JudgesWords& judge,
                                            size_t most) {
  std::vector<Judgement::Reason> strongest;
  for (const auto& [term, word] : words) {
    const double direction = judge.direction_of({&term, 1});
    if (direction > 0) strongest.push_back({word, direction});
  }
  std::sort(strongest.begin(), strongest.end(), [](const auto& a, const auto& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.word < b.word;
  });
  absl::flat_hash_set<std::string> seen;
  std::erase_if(strongest, [&](const auto& reason) { return !seen.insert(reason.word).second; });
  if (strongest.size() > most) strongest.resize(most);
  return strongest;
}

SparseVector count_vector(std::span<const TermCount> terms) {
  std::vector<SparseVector::Entry> entries;
  entries.reserve(terms.size());
  for (const TermCount& t : terms) entries.push_back({t.term, static_cast<double>(t.count)});
  return SparseVector(std::move(entries));
}

SparseVector unit_vector(std::span<const TermCount> terms) {
  return log_vector(terms).normalised();
}

std::vector<Example> unit_vectors(std::span<const Example> counts) {
  std::vector<Example> vectors;
  for (const Example& example : counts) {
    std::vector<SparseVector::Entry> entries;
    for (const auto& e : example.vector.entries())
      entries.push_back({e.index, 1 + std::log(e.value)});
    vectors.push_back({SparseVector(std::move(entries)).normalised(), example.label});
  }
  return vectors;
}

Relevance LearnedJudge::relevance(const PageTerms& page) const {
  return {page.terms.empty() ? 0 : classifier_->probability(page.terms)};
}

Judgement LearnedJudge::judge(const Page& page) const {
  Judgement judgement;
  if (page.terms.empty()) return judgement;
  judgement.relevance.value = classifier_->probability(page.terms);
  judgement.relevant = judgement.relevance.value >= threshold_;
  const SparseVector parts = classifier_->contributions(page.terms);
  judgement.reasons =
      classifier_->is_sum()
          ? reasons_of_shares(page, parts, words_.get())
          : reasons_of_log_odds(page, parts, judgement.relevance.value, words_.get());
  return judgement;
}

}  // namespace dowser
