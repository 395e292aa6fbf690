#pragma once

#include <cstdint>
#include <span>

namespace dowser {

// From a decision value f to a probability: 1 / (1 + exp(a f + b)). As it is made, the logistic
// function.
struct Sigmoid {
  double a = -1;
  double b = 0;

  double operator()(double f) const;
  static void each(auto& s, auto& field) { field(s.a), field(s.b); }
  friend bool operator==(const Sigmoid&, const Sigmoid&) = default;
};

// The sigmoid under which the decision values best explain which were positive (not 0): Platt's
// calibration, told in the .cc file. As many flags as decisions.
Sigmoid fit_sigmoid(std::span<const double> decisions, std::span<const uint8_t> positive);

// What fit_sigmoid() makes least: the negative log likelihood of Platt's targets.
double sigmoid_loss(const Sigmoid& sigmoid, std::span<const double> decisions,
                    std::span<const uint8_t> positive);

}  // namespace dowser
