#include "learn/logistic_regression.h"

namespace dowser {

double LogisticPlane::operator()(const NumberedRow& row) const {
  double sum = bias;
  for (const auto& [number, value] : row) sum += value * weights[number];
  return sum;
}

LogisticPlane logistic_regression(std::span<const NumberedRow* const> positive,
                                  std::span<const NumberedRow* const> negative, size_t features,
                                  double cost) {
  LinearProblem problem(features);
  std::vector<size_t> all;
  std::vector<uint8_t> is_positive;
  const auto add = [&](std::span<const NumberedRow* const> rows, bool positive_side) {
    for (const NumberedRow* row : rows) {
      all.push_back(problem.rows());
      is_positive.push_back(positive_side);
      problem.begin_row();
      for (const auto& [number, value] : *row) problem.add(number, value);
    }
  };
  add(positive, true);
  add(negative, false);
  const auto half = static_cast<double>(all.size()) / 2;
  return {problem.solve(all, is_positive,
                        {.loss = LinearProblem::Loss::kLogistic,
                         .cost = cost,
                         .tolerance = 1e-3,
                         .positive_weight = half / static_cast<double>(positive.size()),
                         .negative_weight = half / static_cast<double>(negative.size())})};
}

}  // namespace dowser
