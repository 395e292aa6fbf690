#include "learn/logistic_regression.h"

#include <linear.h>

#include <memory>

namespace dowser {

double LogisticPlane::operator()(const NumberedRow& row) const {
  double sum = bias;
  for (const auto& [number, value] : row) sum += value * weights[number];
  return sum;
}

LogisticPlane logistic_regression(std::span<const NumberedRow* const> positive,
                                  std::span<const NumberedRow* const> negative, size_t features,
                                  double cost) {
  static const bool silenced = (set_print_string_function([](const char*) {}), true);
  static_cast<void>(silenced);
  // liblinear numbers features from 1, and the constant 1 of the bias is the last.
  const int size = static_cast<int>(features) + 1;
  size_t nodes_needed = 0;
  for (const auto rows : {positive, negative}) {
    for (const NumberedRow* row : rows) nodes_needed += row->size() + 2;
  }
  std::vector<feature_node> nodes;
  nodes.reserve(nodes_needed);  // it keeps pointers into them
  std::vector<feature_node*> rows;
  std::vector<double> sides;
  for (const auto side : {positive, negative}) {
    for (const NumberedRow* row : side) {
      rows.push_back(nodes.data() + nodes.size());
      sides.push_back(side.data() == positive.data() ? 1 : -1);
      for (const auto& [number, value] : *row)
        nodes.push_back({static_cast<int>(number) + 1, value});
      nodes.push_back({size, 1});
      nodes.push_back({-1, 0});
    }
  }
  const auto all = static_cast<double>(rows.size());
  int labels[] = {1, -1};
  double weights[] = {all / (2 * static_cast<double>(positive.size())),
                      all / (2 * static_cast<double>(negative.size()))};
  const problem problem{static_cast<int>(rows.size()), size, sides.data(), rows.data(), 1};
  const parameter parameter{.solver_type = L2R_LR,
                            .eps = 1e-3,
                            .C = cost,
                            .nr_weight = 2,
                            .weight_label = labels,
                            .weight = weights,
                            .p = 0.1,
                            .init_sol = nullptr};
  struct Destroy {
    void operator()(model* m) const { free_and_destroy_model(&m); }
  };
  const std::unique_ptr<model, Destroy> model(::train(&problem, &parameter));
  const double sign = model->label[0] == 1 ? 1 : -1;  // the class that it met first
  LogisticPlane plane;
  plane.weights.reserve(features);
  for (size_t i = 0; i < features; ++i) plane.weights.push_back(sign * model->w[i]);
  plane.bias = sign * model->w[features];
  return plane;
}

}  // namespace dowser
