#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "learn/example.h"
#include "learn/feature_numbers.h"

namespace dowser {

struct NaiveBayesOptions {
  double alpha = 1;  // added to every count; above 0
  bool uniform_priors = false;
  // A document counts as at most this many words; 0: no limit.
  double tempered_words = 0;
  uint32_t classes = 0;            // 0: the largest label plus one
  std::vector<uint32_t> features;  // only these; empty: all features of the examples
  size_t most_features = 0;        // only the best of them by mutual information; 0: all
};

// Multinomial naive Bayes over counts; naive_bayes.cc describes it. Immutable once trained.
class NaiveBayes {
 public:
  struct Parts {
    double alpha = 1;
    double tempered_words = 0;
    std::vector<double> priors;      // of each class; they sum to 1
    std::vector<uint32_t> features;  // sorted
    std::vector<double> counts;      // counts[feature * classes + class]

    static void each(auto& p, auto& field) {
      field(p.alpha), field(p.tempered_words), field(p.priors), field(p.features), field(p.counts);
    }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "naive Bayes";

  static Result<NaiveBayes> train(std::span<const Example> examples,
                                  const NaiveBayesOptions& options = {});
  static Result<NaiveBayes> from_parts(Parts parts);
  static Result<NaiveBayes> load(ByteReader& in);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  uint32_t classes() const { return static_cast<uint32_t>(parts_.priors.size()); }
  // ln P(class) + ln P(document | class) for each class. These order the classes but are not
  // probabilities.
  std::vector<double> log_scores(const SparseVector& v) const;
  std::vector<double> log_posteriors(const SparseVector& v) const;
  std::vector<double> posteriors(const SparseVector& v) const;
  uint32_t best(const SparseVector& v) const { return best_class(log_scores(v)); }

  // What each known feature of v adds to ln(P(label | v) / P(any other | v)).
  SparseVector contributions(const SparseVector& v, uint32_t label) const;

 private:
  explicit NaiveBayes(Parts parts);
  // The factor of ln P(document | class).
  double temper(const SparseVector& v) const;

  Parts parts_;
  FeatureNumbers numbers_;
  std::vector<double> log_priors_;
  std::vector<double> log_likelihoods_;  // [feature * classes + class]
};

// ln(sum of exp(x)) without overflow; minus infinity if there are no values.
double log_sum_exp(std::span<const double> values);

}  // namespace dowser
