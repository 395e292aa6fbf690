#pragma once

#include <variant>

#include "judge/trained/model_file.h"

namespace dowser {

// A model put together: what class is a page of, and how likely is it that the class is good?
// Immutable.
class ModelClassifier {
 public:
  struct Opinion {
    uint32_t best = 0;     // class; of a tree the best leaf
    bool is_good = false;  // the best class is good, or below a good one
    double relevance = 0;  // the probability of all good classes together
  };

  static Result<ModelClassifier> make(const Model& model);

  // Of a page that has terms.
  Opinion opinion(std::span<const TermCount> terms) const;
  // What speaks for the class, and against it.
  SparseVector contributions(std::span<const TermCount> terms, uint32_t of_class) const;

 private:
  using Parts = std::variant<TopicTree, LinearSvm>;
  ModelClassifier(Parts parts, std::vector<uint8_t> good)
      : parts_(std::move(parts)), good_(std::move(good)) {}

  Parts parts_;
  std::vector<uint8_t> good_;  // by class
};

}  // namespace dowser
