#include "text/topic_vector.h"

#include <algorithm>
#include <cmath>

#include "text/terms.h"

namespace dowser {

void TopicVector::add_words(std::string_view text) {
  for (const std::string& language : analysed_languages()) {
    std::vector<TermId> ids = term_ids(text, language);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    Words& words = words_[language];
    for (const TermId id : ids) {
      words.weights[id] += 1 / std::sqrt(static_cast<double>(ids.size()));
    }
  }
  measure();
}

void TopicVector::add_example(std::span<const TermCount> terms) {
  examples_ = sum(examples_, log_vector(terms).normalised());
  for (const auto& entry : examples_.entries()) example_weights_[entry.index] = entry.value;
  measure();
}

// Sums in the order of terms, so that the same topic has the same norm to the last bit.
void TopicVector::measure() {
  const double norm = examples_.norm();
  no_words_.norm = norm;
  for (auto& [language, words] : words_) {
    double squares = norm * norm;
    for (const auto& [term, value] : words.weights) {
      const double example = examples_.at(term);
      squares += (value + example) * (value + example) - example * example;
    }
    words.norm = std::sqrt(squares);
  }
}

bool TopicVector::empty() const {
  return examples_.empty() && std::all_of(words_.begin(), words_.end(), [](const auto& entry) {
           return entry.second.weights.empty();
         });
}

const TopicVector::Words& TopicVector::words_in(std::string_view language) const {
  const auto it = words_.find(analysed_language(language));
  return it == words_.end() ? no_words_ : it->second;
}

double TopicVector::raw_weight(TermId term, const Words& words) const {
  double sum = 0;
  if (const auto it = example_weights_.find(term); it != example_weights_.end()) sum += it->second;
  if (const auto it = words.weights.find(term); it != words.weights.end()) sum += it->second;
  return sum;
}

double TopicVector::weight(TermId term, std::string_view language) const {
  const Words& words = words_in(language);
  return words.norm > 0 ? raw_weight(term, words) / words.norm : 0;
}

double TopicVector::similarity(std::span<const TermCount> terms, std::string_view language) const {
  const Words& words = words_in(language);
  double product = 0, squares = 0;
  for (const TermCount& t : terms) {
    const double value = log_count(t.count);
    squares += value * value;
    product += value * raw_weight(t.term, words);
  }
  if (product == 0 || words.norm == 0) return 0;
  return std::min(1.0, product / (std::sqrt(squares) * words.norm));
}

TopicVector::Match TopicVector::match(std::span<const TermCount> terms,
                                      std::string_view language) const {
  const Words& words = words_in(language);
  double product = 0, squares = 0;
  std::vector<SparseVector::Entry> shares;
  std::vector<double> values;  // of the terms of `shares`
  for (const TermCount& t : terms) {
    const double value = log_count(t.count);
    squares += value * value;
    const double weight = raw_weight(t.term, words);
    if (weight == 0) continue;
    product += value * weight;
    shares.push_back({t.term, weight});
    values.push_back(value);
  }
  if (words.norm == 0) return {};
  const double scale = 1 / std::sqrt(squares);
  for (size_t i = 0; i < shares.size(); ++i) {
    shares[i].value = values[i] * scale * (shares[i].value / words.norm);
  }
  const double cosine = product / (std::sqrt(squares) * words.norm);
  return {product == 0 ? 0 : std::min(1.0, cosine), SparseVector(std::move(shares))};
}

double TopicVector::similarity(std::string_view text, std::string_view language) const {
  return similarity(count_terms({text}, language), language);
}

}  // namespace dowser
