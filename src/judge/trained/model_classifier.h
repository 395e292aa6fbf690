#pragma once

#include <variant>

#include "judge/trained/model_file.h"

namespace dowser {

// A classifier made from a model file: it finds the class of a page and the probability that the
// class is a good one. Immutable.
class ModelClassifier {
 public:
  struct Opinion {
    uint32_t best = 0;     // the most likely class; in a tree the best leaf
    bool is_good = false;  // the best class is good or below a good class
    double relevance = 0;  // the probability of all good classes together
  };

  static Result<ModelClassifier> make(const Model& model);

  // For a page that has terms.
  Opinion opinion(std::span<const TermCount> terms) const;
  // What the terms contribute for the class, or against it.
  SparseVector contributions(std::span<const TermCount> terms, uint32_t of_class) const;

 private:
  struct WeightedSvm {
    PageWeights weights;
    RbfSvm svm;
  };
  using Parts = std::variant<TopicTree, LinearSvm, WeightedBayes, WeightedSvm>;
  ModelClassifier(Parts parts, std::vector<uint8_t> good)
      : parts_(std::move(parts)), good_(std::move(good)) {}

  // Of all classes but those of a tree.
  std::vector<double> probabilities(std::span<const TermCount> terms) const;

  Parts parts_;
  std::vector<uint8_t> good_;  // by class
};

}  // namespace dowser
