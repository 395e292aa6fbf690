#include "learn/weighted_bayes.h"

#include <cmath>

#include "learn/saved_parts.h"

// The weighted naive Bayes of the CINDI Robot (C 4.3.3.2). Naive Bayes lets every word of a page
// count alike; here a word counts by how much it stands out:
//
//   P(w | c)  = (times w stands in c + 0.5) / (words of c + 0.5 |V|)
//   W(w, d)   = times w stands in d * log2(N / documents with w)         (TF-IDF, C 4.3.3.1 c)
//   score(c)  = ln P(c) + sum over the distinct words w of d of W(w, d) ln P(w | c)
//
// Of 4 training documents "the" stands in all, "queue" in one: log2(4/4) = 0, so "the" has no say
// at all; "queue" counts twice for each time it stands on the page. C reports about 2 %
// more pages classified rightly.
//
// Where C's text is vague, and what is done here:
//  - which documents N and n are of: the examples; words that they do not have are left out.
//  - P(category): its share of the examples, or uniform.
//  - "frequency" in TF is a count, as everywhere in its 4.3.2, not a share of the page.
//  - the logarithm of the probabilities has no base; natural here, and no decision depends on it.
//    The idf has base 2, which C does say.
//  - |V|: "the number of entries in the vocabulary" is that of all classes together.
//
// The bias of C 4.3.5 (tunnelling): relevant if score(in) > γ score(out), γ = 0.75, and smaller γ
// is said to let more pages in, 0 all of them. The scores are logarithms of probabilities and below
// 0, so the formula as printed does the reverse: with γ = 0 nothing gets in. `wins` has γ on the
// other side, γ score(in) > score(out), which is what the words say.
//
// C has two classes; nothing here depends on that. The cost is that of naive Bayes.

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
