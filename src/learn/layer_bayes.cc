#include "learn/layer_bayes.h"

#include "learn/saved_parts.h"

namespace dowser {

Result<LayerBayes> LayerBayes::train(std::span<const Example> examples,
                                     const LayerBayesOptions& options) {
  NaiveBayesOptions uniform = options.bayes;
  uniform.uniform_priors = true;
  Result<NaiveBayes> bayes = NaiveBayes::train(examples, uniform);
  if (!bayes) return bayes.error();
  return LayerBayes(options.threshold, std::move(*bayes));
}

Result<LayerBayes> LayerBayes::from_parts(Parts parts) {
  Result<NaiveBayes> bayes = NaiveBayes::from_parts(std::move(parts.bayes));
  if (!bayes) return bayes.error();
  return LayerBayes(parts.threshold, std::move(*bayes));
}

Result<LayerBayes> LayerBayes::load(ByteReader& in) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts));
}

void LayerBayes::save(ByteWriter& out) const { save_parts(kKind, parts(), out); }

LayerBayes::Layer LayerBayes::layer(const SparseVector& v) const {
  const std::vector<double> p = bayes_.posteriors(v);
  const uint32_t best = best_class(p);
  if (p[best] < threshold_) return {std::nullopt, p[best]};
  return {best, p[best]};
}

}  // namespace dowser
