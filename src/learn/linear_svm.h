#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "learn/example.h"
#include "learn/feature_numbers.h"
#include "learn/sigmoid.h"

namespace dowser {

struct LinearSvmOptions {
  double cost = 1;          // C: the cost of an error, relative to the width of the margin
  bool balanced = true;     // few positive examples weigh as much as many negative ones
  double tolerance = 1e-3;  // of the gradient, at which training ends
  uint32_t folds = 5;       // for calibration; 0: no calibration, which is five times as fast
};

// A linear support vector machine for two or more classes; linear_svm.cc describes the idea.
// Immutable once trained.
class LinearSvm {
 public:
  struct Parts {
    std::vector<uint32_t> features;  // sorted
    std::vector<double> weights;     // weights[feature * machines + machine]: one_vs_rest.h
    std::vector<double> biases;      // of each machine
    std::vector<Sigmoid> sigmoids;   // of each machine

    static void each(auto& p, auto& field) {
      field(p.features), field(p.weights), field(p.biases), field(p.sigmoids);
    }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "linear SVM";

  // The same examples and options give the same machine, whatever other threads do.
  static Result<LinearSvm> train(std::span<const Example> examples,
                                 const LinearSvmOptions& options = {});
  static Result<LinearSvm> from_parts(Parts parts);
  static Result<LinearSvm> load(ByteReader& in);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  uint32_t classes() const;
  // The decision value of each class: positive on the side of the class.
  std::vector<double> decisions(const SparseVector& v) const;
  std::vector<double> probabilities(const SparseVector& v) const;
  uint32_t best(const SparseVector& v) const { return best_class(decisions(v)); }
  // The weight of a feature for the decision value of the class; 0 if the feature is unknown.
  double weight(uint32_t feature, uint32_t label) const;
  double bias(uint32_t label) const;
  // What each known feature of v adds to the decision value of the class.
  SparseVector contributions(const SparseVector& v, uint32_t label) const;

 private:
  explicit LinearSvm(Parts parts);
  std::vector<double> machine_values(const SparseVector& v) const;

  Parts parts_;
  FeatureNumbers numbers_;
};

}  // namespace dowser
