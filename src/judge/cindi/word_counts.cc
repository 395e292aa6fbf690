#include "judge/cindi/word_counts.h"

#include <algorithm>
#include <vector>

namespace dowser {

void WordCounts::add(std::span<const TermCount> terms, bool is_relevant) {
  ++pages_[is_relevant];
  for (const TermCount& term : terms) {
    const auto known = words_.find(term.term);
    if (known == words_.end() && words_.size() >= kMostWords) continue;
    Counts& counts = known == words_.end() ? words_[term.term] : known->second;
    counts.occurrences[is_relevant] += term.count;
    ++counts.pages;
  }
}

Result<WeightedBayes> WordCounts::bayes(uint32_t rdf_above) const {
  WeightedBayes::Parts parts;
  parts.documents = pages_[0] + pages_[1];
  parts.bayes.alpha = WeightedBayesOptions().alpha;
  for (const uint32_t pages : pages_) {
    parts.bayes.priors.push_back(static_cast<double>(pages) / parts.documents);
  }
  for (const auto& [term, counts] : words_) {
    if (counts.pages > rdf_above) parts.bayes.features.push_back(term);
  }
  std::sort(parts.bayes.features.begin(), parts.bayes.features.end());
  for (const TermId term : parts.bayes.features) {
    const Counts& counts = words_.at(term);
    for (const uint32_t n : counts.occurrences) parts.bayes.counts.push_back(n);
    parts.document_frequencies.push_back(counts.pages);
  }
  return WeightedBayes::from_parts(std::move(parts));
}

void WordCounts::save(ByteWriter& out) const {
  for (const uint32_t pages : pages_) out.number(pages);
  out.number(static_cast<uint32_t>(words_.size()));
  for (const auto& [term, counts] : words_) {
    out.number(term);
    for (const uint32_t n : counts.occurrences) out.number(n);
    out.number(counts.pages);
  }
}

void WordCounts::load(ByteReader& in) {
  for (uint32_t& pages : pages_) pages = in.number<uint32_t>();
  words_.clear();
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    Counts& counts = words_[in.number<TermId>()];
    for (uint32_t& n : counts.occurrences) n = in.number<uint32_t>();
    counts.pages = in.number<uint32_t>();
  }
}

}  // namespace dowser
