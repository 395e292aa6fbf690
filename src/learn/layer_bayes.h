#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "learn/naive_bayes.h"

// The classifier of the context graph (K 3.1.3.4; Diligenti et al. 2000): how many links away from
// a relevant page is this one? The layers are the classes of one naive Bayes: layer 0 the relevant
// pages, layer 1 those that link to them, and so on.
//
//   Pr(l | p) from Pr(t | l) of all pages of layer l, and Pr(l) = 1/L, L the number of layers
//   layer(p) = the l with the greatest Pr(l | p), if that is at least the threshold; else "other"
//
// Three layers and a threshold of 0.5: probabilities 0.7, 0.2, 0.1 give layer 0, and 0.4, 0.35,
// 0.25 give "other". The queue of a layer is ordered by the probability, so it is given along.
//
// 1/L as prior, since how many pages of each layer one has says how many back links one could find,
// not how many there are. A layer without pages is never chosen, and the others share its part.
// K names no threshold; 0.5 is "likelier than all other layers together". The features (the best
// terms of the seed pages by TF-IDF) are given in the options. With untempered probabilities long
// pages are hardly ever "other", because one layer always wins by far: naive_bayes.cc, "Tempered".
// Of layers that are equally likely the nearest wins.

namespace dowser {

struct LayerBayesOptions {
  double threshold = 0.5;
  NaiveBayesOptions bayes;  // priors are uniform whatever it says
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
    double probability = 0;          // of the most probable layer, also where it is too small
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
