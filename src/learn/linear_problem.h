#pragma once

#include <cstdint>
#include <span>
#include <vector>

struct feature_node;  // liblinear's

// Rows of numbers on two sides, and the plane between them that liblinear finds (Fan et al. 2008).
// Its trust region Newton method draws no random numbers and keeps no state: the same rows give the
// same plane, whatever other threads do.

namespace dowser {

struct LinearPlane {
  std::vector<double> weights;  // by feature number
  double bias = 0;
};

class LinearProblem {
 public:
  explicit LinearProblem(size_t features);
  ~LinearProblem();
  LinearProblem(LinearProblem&&) noexcept;

  // A row is begun, and then given its values, with rising feature numbers below `features`.
  void begin_row();
  void add(uint32_t feature, double value);
  size_t rows() const { return begins_.size(); }

  enum class Loss { kSquaredHinge, kLogistic };
  struct Options {
    Loss loss;
    double cost;
    double tolerance;
    double positive_weight = 1, negative_weight = 1;  // of the rows of each side
  };
  // From the rows named. `positive` says on which side each row of the problem is.
  LinearPlane solve(std::span<const size_t> rows, std::span<const uint8_t> positive,
                    const Options& options);

  // The distance of a row from the plane, in units of its margin.
  double decision(const LinearPlane& plane, size_t row) const;

 private:
  void end_row();

  const int size_;  // features, and the constant 1 of the bias
  std::vector<feature_node> nodes_;
  std::vector<size_t> begins_;
  bool is_open_ = false;
};

}  // namespace dowser
