#include "judge/trained/model_classifier.h"

#include <algorithm>

namespace dowser {

Result<ModelClassifier> ModelClassifier::make(const Model& model) {
  std::vector<uint8_t> good;
  for (const Model::Class& c : model.classes) good.push_back(c.good);
  if (model.tree) {
    Result<TopicTree> tree = TopicTree::from_parts(*model.tree);
    if (!tree) return tree.error();
    return ModelClassifier(std::move(*tree), std::move(good));
  }
  Result<LinearSvm> svm = LinearSvm::from_parts(*model.svm);
  if (!svm) return svm.error();
  return ModelClassifier(std::move(*svm), std::move(good));
}

ModelClassifier::Opinion ModelClassifier::opinion(std::span<const TermCount> terms) const {
  Opinion opinion;
  if (const auto* tree = std::get_if<TopicTree>(&parts_)) {
    const std::vector<double> probabilities = tree->probabilities(count_vector(terms));
    const uint32_t leaf = tree->best_leaf_of(probabilities);
    return {leaf - 1, tree->is_within_good(leaf), tree->relevance_of(probabilities)};
  }
  const LinearSvm& svm = std::get<LinearSvm>(parts_);
  const SparseVector vector = unit_vector(terms);
  const std::vector<double> probabilities = svm.probabilities(vector);
  opinion.best = best_class(probabilities);
  opinion.is_good = good_[opinion.best];
  for (size_t c = 0; c < good_.size(); ++c) opinion.relevance += good_[c] ? probabilities[c] : 0;
  opinion.relevance = std::min(opinion.relevance, 1.0);  // rounding
  return opinion;
}

SparseVector ModelClassifier::contributions(std::span<const TermCount> terms,
                                            uint32_t of_class) const {
  if (const auto* tree = std::get_if<TopicTree>(&parts_)) {
    return tree->contributions(count_vector(terms), of_class + 1);
  }
  return std::get<LinearSvm>(parts_).contributions(unit_vector(terms), of_class);
}

}  // namespace dowser
