#pragma once

#include <cstdint>
#include <span>

namespace dowser {

// Converts a decision value f to a probability: 1 / (1 + exp(a f + b)). The default is the logistic
// function.
struct Sigmoid {
  double a = -1;
  double b = 0;

  double operator()(double f) const;
  static void each(auto& s, auto& field) { field(s.a), field(s.b); }
  friend bool operator==(const Sigmoid&, const Sigmoid&) = default;
};

// The sigmoid that best explains which decision values belong to positive examples (flag not 0):
// Platt's calibration, described in sigmoid.cc. There must be as many flags as decisions.
Sigmoid fit_sigmoid(std::span<const double> decisions, std::span<const uint8_t> positive);

// What fit_sigmoid() minimises: the negative log likelihood of Platt's targets.
double sigmoid_loss(const Sigmoid& sigmoid, std::span<const double> decisions,
                    std::span<const uint8_t> positive);

}  // namespace dowser
