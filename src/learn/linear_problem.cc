#include "learn/linear_problem.h"

#include <linear.h>

#include <memory>

// liblinear numbers features from 1. The constant 1 of the bias is the last feature of each row,
// and -1 ends the row.

namespace dowser {

LinearProblem::LinearProblem(size_t features) : size_(static_cast<int>(features) + 1) {
  static const bool silenced = (set_print_string_function([](const char*) {}), true);
  static_cast<void>(silenced);
}

LinearProblem::~LinearProblem() = default;
LinearProblem::LinearProblem(LinearProblem&&) noexcept = default;

void LinearProblem::begin_row() {
  end_row();
  begins_.push_back(nodes_.size());
  is_open_ = true;
}

void LinearProblem::add(uint32_t feature, double value) {
  nodes_.push_back({static_cast<int>(feature) + 1, value});
}

void LinearProblem::end_row() {
  if (!is_open_) return;
  nodes_.push_back({size_, 1});
  nodes_.push_back({-1, 0});
  is_open_ = false;
}

LinearPlane LinearProblem::solve(std::span<const size_t> rows, std::span<const uint8_t> positive,
                                 const Options& options) {
  end_row();
  std::vector<feature_node*> begins;
  std::vector<double> sides;
  for (const size_t row : rows) {
    begins.push_back(&nodes_[begins_[row]]);
    sides.push_back(positive[row] ? 1 : -1);
  }
  int labels[] = {1, -1};
  double weights[] = {options.positive_weight, options.negative_weight};
  const problem problem{static_cast<int>(begins.size()), size_, sides.data(), begins.data(), 1};
  const parameter parameter{
      .solver_type = options.loss == Loss::kLogistic ? L2R_LR : L2R_L2LOSS_SVC,
      .eps = options.tolerance,
      .C = options.cost,
      .nr_weight = 2,
      .weight_label = labels,
      .weight = weights,
      .p = 0.1,
      .init_sol = nullptr};
  struct Destroy {
    void operator()(model* m) const { free_and_destroy_model(&m); }
  };
  const std::unique_ptr<model, Destroy> model(::train(&problem, &parameter));
  // The positive side of the plane is the class that liblinear met first.
  const double sign = model->label[0] == 1 ? 1 : -1;
  LinearPlane plane;
  for (int i = 0; i + 1 < size_; ++i) plane.weights.push_back(sign * model->w[i]);
  plane.bias = sign * model->w[size_ - 1];
  return plane;
}

double LinearProblem::decision(const LinearPlane& plane, size_t row) const {
  double total = plane.bias;
  for (const feature_node* n = &nodes_[begins_[row]]; n->index != size_; ++n) {
    total += plane.weights[static_cast<size_t>(n->index) - 1] * n->value;
  }
  return total;
}

}  // namespace dowser
