#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "learn/naive_bayes.h"

namespace dowser {

struct WeightedBayesOptions {
  double alpha = 0.5;  // as in Chen 2008, section 4.3.3.2
  bool uniform_priors = false;
  uint32_t classes = 0;            // 0: the largest label plus one
  std::vector<uint32_t> features;  // only these; empty: all features of the examples
};

// Naive Bayes in which every word is weighted by its TF-IDF; weighted_bayes.cc describes it.
class WeightedBayes {
 public:
  struct Parts {
    NaiveBayes::Parts bayes;
    uint32_t documents = 0;                      // number of training documents
    std::vector<uint32_t> document_frequencies;  // of each feature of `bayes`

    static void each(auto& p, auto& field) {
      field(p.bayes), field(p.documents), field(p.document_frequencies);
    }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "weighted naive Bayes";

  static Result<WeightedBayes> train(std::span<const Example> examples,
                                     const WeightedBayesOptions& options = {});
  static Result<WeightedBayes> from_parts(Parts parts);
  static Result<WeightedBayes> load(ByteReader& in);
  void save(ByteWriter& out) const;
  Parts parts() const { return {bayes_.parts(), documents_, document_frequencies_}; }

  // v holds counts. The sums of Chen's formulas, one for each class.
  std::vector<double> log_scores(const SparseVector& v) const;
  // The sums as probabilities; very near 0 or 1 for all but short documents.
  std::vector<double> posteriors(const SparseVector& v) const;
  uint32_t best(const SparseVector& v) const { return best_class(log_scores(v)); }
  // Whether the label beats all other classes after its sum is multiplied by `bias`. 1 asks for the
  // best class; smaller values accept more documents, and 0 accepts all.
  bool wins(const SparseVector& v, uint32_t label, double bias = 1) const;
  SparseVector contributions(const SparseVector& v, uint32_t label) const;

 private:
  WeightedBayes(NaiveBayes bayes, uint32_t documents, std::vector<uint32_t> frequencies);
  SparseVector weighted(const SparseVector& counts) const;

  NaiveBayes bayes_;
  uint32_t documents_;
  std::vector<uint32_t> document_frequencies_;
  FeatureNumbers numbers_;
};

}  // namespace dowser
