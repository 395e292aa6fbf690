#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/linear_problem.h"

namespace dowser {

// A document as feature numbers, each below the number of features, with values.
using NumberedRow = std::vector<std::pair<uint32_t, double>>;

struct LogisticPlane : LinearPlane {
  double operator()(const NumberedRow& row) const;  // the log odds
};

// Logistic regression with an L2 penalty, both classes weighing the same:
//
//   minimise over w, b:  1/2 (|w|² + b²) + sum over rows i of C_i ln(1 + exp(-y_i (w·x_i + b)))
//
// where C_i is `cost` times the number of rows, divided by twice the number of rows of its class. A
// row may be named several times, and then weighs as much more. The solver is liblinear's trust
// region Newton method (Fan et al. 2008), which draws no random numbers: the same rows give the
// same plane, whatever other threads do. Each class must have at least one row.
LogisticPlane logistic_regression(std::span<const NumberedRow* const> positive,
                                  std::span<const NumberedRow* const> negative, size_t features,
                                  double cost);

}  // namespace dowser
