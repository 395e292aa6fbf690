#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "learn/example.h"
#include "learn/inverted_vectors.h"
#include "learn/sigmoid.h"

namespace dowser {

struct RbfSvmOptions {
  double cost = 1;          // C: the cost of an error, relative to the width of the margin
  double gamma = 0;         // width of the kernel; 0: computed from the examples, see rbf_svm.cc
  bool balanced = true;     // few positive examples weigh as much as many negative ones
  double tolerance = 1e-3;  // of the optimality conditions, at which training ends
  uint32_t folds = 5;       // for calibration; 0: no calibration
};

// A support vector machine with a Gaussian kernel for two or more classes; rbf_svm.cc describes it.
// Immutable once trained.
class RbfSvm {
 public:
  struct Parts {
    double gamma = 1;
    std::vector<SparseVector> vectors;  // the support vectors of all machines
    std::vector<double> coefficients;   // coefficients[vector * machines + machine]
    std::vector<double> biases;         // of each machine
    std::vector<Sigmoid> sigmoids;      // of each machine

    static void each(auto& p, auto& field) {
      field(p.gamma), field(p.vectors), field(p.coefficients), field(p.biases), field(p.sigmoids);
    }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "RBF SVM";

  // The same examples and options give the same machine, whatever other threads do.
  static Result<RbfSvm> train(std::span<const Example> examples, const RbfSvmOptions& options = {});
  static Result<RbfSvm> from_parts(Parts parts);
  static Result<RbfSvm> load(ByteReader& in);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  uint32_t classes() const;
  // The decision value of each class: positive on the side of the class.
  std::vector<double> decisions(const SparseVector& v) const;
  std::vector<double> probabilities(const SparseVector& v) const;
  uint32_t best(const SparseVector& v) const { return best_class(decisions(v)); }

 private:
  explicit RbfSvm(Parts parts);
  std::vector<double> machine_values(const SparseVector& v) const;

  Parts parts_;
  InvertedVectors index_;
  std::vector<double> squares_;  // |s|² of each support vector
};

}  // namespace dowser
