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
  if (model.weighted_bayes) {
    Result<WeightedBayes> bayes = WeightedBayes::from_parts(*model.weighted_bayes);
    if (!bayes) return bayes.error();
    return ModelClassifier(std::move(*bayes), std::move(good));
  }
  if (model.rbf_svm) {
    Result<PageWeights> weights = PageWeights::from_parts(model.rbf_svm->weights);
    if (!weights) return weights.error();
    Result<RbfSvm> svm = RbfSvm::from_parts(model.rbf_svm->svm);
    if (!svm) return svm.error();
    return ModelClassifier(WeightedSvm{std::move(*weights), std::move(*svm)}, std::move(good));
  }
  Result<LinearSvm> svm = LinearSvm::from_parts(*model.svm);
  if (!svm) return svm.error();
  return ModelClassifier(std::move(*svm), std::move(good));
}

std::vector<double> ModelClassifier::probabilities(std::span<const TermCount> terms) const {
  if (const auto* bayes = std::get_if<WeightedBayes>(&parts_)) {
    return bayes->posteriors(count_vector(terms));
  }
  if (const auto* weighted = std::get_if<WeightedSvm>(&parts_)) {
    return weighted->svm.probabilities(weighted->weights.vector(count_vector(terms)));
  }
  return std::get<LinearSvm>(parts_).probabilities(unit_vector(terms));
}

ModelClassifier::Opinion ModelClassifier::opinion(std::span<const TermCount> terms) const {
  Opinion opinion;
  if (const auto* tree = std::get_if<TopicTree>(&parts_)) {
    const std::vector<double> probabilities = tree->probabilities(count_vector(terms));
    const uint32_t leaf = tree->best_leaf_of(probabilities);
    return {leaf - 1, tree->is_within_good(leaf), tree->relevance_of(probabilities)};
  }
  const std::vector<double> probabilities = this->probabilities(terms);
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
  if (const auto* bayes = std::get_if<WeightedBayes>(&parts_)) {
    return bayes->contributions(count_vector(terms), of_class);
  }
  if (std::holds_alternative<WeightedSvm>(parts_))
    return {};  // with this kernel no word has a share
  return std::get<LinearSvm>(parts_).contributions(unit_vector(terms), of_class);
}

}  // namespace dowser
