#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "learn/naive_bayes.h"

// The classifier of the context graph (Diligenti et al. 2000; Küçük 2009, section 3.1.3.4): how
// many links is this page away from a relevant page? The layers are the classes of one naive Bayes:
// layer 0 are the relevant pages, layer 1 pages that link to them, and so on.
//
//   Pr(l | p) from Pr(t | l) of all pages of layer l, with Pr(l) = 1 / number of layers
//   layer(p) = the l with the greatest Pr(l | p), if that is at least the threshold; else "other"
//
// Example with three layers and a threshold of 0.5: the probabilities 0.7, 0.2, 0.1 give layer 0,
// and 0.4, 0.35, 0.25 give "other". The probability is returned too, because the queue of a layer
// is ordered by it.
//
// The priors are equal because the number of pages of a layer says how many back-links were found,
// not how many there are. A layer without pages is never chosen, and the others share its part.
// Küçük names no threshold; 0.5 means "more likely than all other layers together". The features
// (the best terms of the seed pages by TF-IDF) are given in the options. Without tempering, long
// pages are hardly ever "other", because one layer always wins by far: naive_bayes.cc, "Tempering".
// Of equally likely layers the nearest wins.

namespace dowser {

struct LayerBayesOptions {
  double threshold = 0.5;
  NaiveBayesOptions bayes;  // its priors are always uniform
};

class LayerBayes {
 public:
  struct Parts {
    double threshold = 0.5;
    NaiveBayes::Parts bayes;

    static void each(auto& p, auto& field) { field(p.threshold), field(p.bayes); }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "layers";

  struct Layer {
    std::optional<uint32_t> number;  // none: "other"
    double probability = 0;          // of the most likely layer, even if below the threshold
  };

  // The label of an example is its layer.
  static Result<LayerBayes> train(std::span<const Example> examples,
                                  const LayerBayesOptions& options = {});
  static Result<LayerBayes> from_parts(Parts parts);
  static Result<LayerBayes> load(ByteReader& in);
  void save(ByteWriter& out) const;
  Parts parts() const { return {threshold_, bayes_.parts()}; }

  Layer layer(const SparseVector& v) const;
  std::vector<double> probabilities(const SparseVector& v) const { return bayes_.posteriors(v); }
  const NaiveBayes& bayes() const { return bayes_; }

 private:
  LayerBayes(double threshold, NaiveBayes bayes)
      : threshold_(threshold), bayes_(std::move(bayes)) {}

  double threshold_;
  NaiveBayes bayes_;
};

}  // namespace dowser
