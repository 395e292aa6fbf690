#include "learn/weighted_bayes.h"

#include <cmath>

#include "learn/saved_parts.h"

// The weighted naive Bayes of the CINDI Robot (Chen 2008, section 4.3.3.2). Plain naive Bayes
// counts every word of a page alike; here a word is weighted by how much it stands out:
//
//   P(w | c)  = (count of w in c + 0.5) / (words of c + 0.5 |V|)
//   W(w, d)   = count of w in d * log2(N / documents with w)             (TF-IDF, section 4.3.3.1
//   c) score(c)  = ln P(c) + sum over the distinct words w of d of W(w, d) ln P(w | c)
//
// Example: of 4 training documents all have "the" and one has "queue". log2(4/4) = 0, so "the" has
// no influence; each "queue" on a page counts twice. Chen reports about 2 % more pages classified
// correctly.
//
// Where Chen's text is vague, this is what is done here:
//  - N and n count the training documents; words that these do not have are ignored.
//  - P(category) is its share of the examples, or uniform.
//  - "frequency" in TF is a count, as everywhere in section 4.3.2, not a share of the page.
//  - The logarithm of the probabilities is given without a base; it is natural here, and no
//  decision
//    depends on it. The idf has base 2, as Chen says.
//  - |V|, "the number of entries in the vocabulary", is that of all classes together.
//
// The bias of section 4.3.5 (tunnelling): a page is relevant if score(in) > γ score(out), with
// γ = 0.75; a smaller γ is said to let more pages in, and 0 all of them. But the scores are
// logarithms of probabilities and negative, so the formula as printed does the opposite: with γ = 0
// nothing gets in. `wins` has γ on the other side, γ score(in) > score(out), which is what the text
// says.
//
// Chen has two classes; nothing here depends on that. The cost is that of naive Bayes.

namespace dowser {

WeightedBayes::WeightedBayes(NaiveBayes bayes, uint32_t documents,
                             std::vector<uint32_t> frequencies)
    : bayes_(std::move(bayes)),
      documents_(documents),
      document_frequencies_(std::move(frequencies)),
      numbers_(bayes_.parts().features) {}

Result<WeightedBayes> WeightedBayes::train(std::span<const Example> examples,
                                           const WeightedBayesOptions& options) {
  Result<NaiveBayes> bayes = NaiveBayes::train(examples, {.alpha = options.alpha,
                                                          .uniform_priors = options.uniform_priors,
                                                          .classes = options.classes,
                                                          .features = options.features});
  if (!bayes) return bayes.error();
  const FeatureNumbers numbers(bayes->parts().features);
  std::vector<uint32_t> frequencies(numbers.size());
  for (const Example& e : examples) {
    for (const auto& entry : e.vector.entries()) {
      const uint32_t f = numbers.number(entry.index);
      if (f != FeatureNumbers::kNone) ++frequencies[f];
    }
  }
  return WeightedBayes(std::move(*bayes), static_cast<uint32_t>(examples.size()),
                       std::move(frequencies));
}

Result<WeightedBayes> WeightedBayes::from_parts(Parts parts) {
  Result<NaiveBayes> bayes = NaiveBayes::from_parts(std::move(parts.bayes));
  if (!bayes) return bayes.error();
  if (parts.document_frequencies.size() != bayes->parts().features.size()) {
    return contradiction(kKind, "not one document frequency for each feature");
  }
  for (const uint32_t df : parts.document_frequencies) {
    if (df > parts.documents) return contradiction(kKind, "a feature in more documents than all");
  }
  return WeightedBayes(std::move(*bayes), parts.documents, std::move(parts.document_frequencies));
}

Result<WeightedBayes> WeightedBayes::load(ByteReader& in) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts));
}

void WeightedBayes::save(ByteWriter& out) const { save_parts(kKind, parts(), out); }

SparseVector WeightedBayes::weighted(const SparseVector& counts) const {
  std::vector<SparseVector::Entry> entries;
  for (const auto& e : counts.entries()) {
    const uint32_t f = numbers_.number(e.index);
    // A feature that was asked for but is in no example has no idf.
    if (f == FeatureNumbers::kNone || document_frequencies_[f] == 0) continue;
    const double df = document_frequencies_[f];
    entries.push_back({e.index, e.value * std::log2(documents_ / df)});
  }
  return SparseVector(std::move(entries));
}

std::vector<double> WeightedBayes::log_scores(const SparseVector& v) const {
  return bayes_.log_scores(weighted(v));
}

std::vector<double> WeightedBayes::posteriors(const SparseVector& v) const {
  return bayes_.posteriors(weighted(v));
}

bool WeightedBayes::wins(const SparseVector& v, uint32_t label, double bias) const {
  const std::vector<double> scores = log_scores(v);
  for (uint32_t c = 0; c < scores.size(); ++c) {
    if (c != label && !(bias * scores[label] > scores[c])) return false;
  }
  return true;
}

SparseVector WeightedBayes::contributions(const SparseVector& v, uint32_t label) const {
  return bayes_.contributions(weighted(v), label);
}

}  // namespace dowser
