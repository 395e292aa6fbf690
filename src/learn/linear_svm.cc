#include "learn/linear_svm.h"

#include "learn/linear_problem.h"
#include "learn/one_vs_rest.h"
#include "learn/saved_parts.h"

// A linear support vector machine: a weight for each word such that the weighted sum over the words
// of a document is above 1 for one class and below -1 for the other, with weights as small as
// possible. Small weights mean a wide margin between the classes, and a wide margin is what
// generalises to new documents.
//
//   minimise over w, b:  1/2 (|w|² + b²) + sum over examples i of C_i max(0, 1 - y_i (w·x_i + b))²
//
// (Cortes and Vapnik 1995; the squared loss and the solver are liblinear's, Fan et al. 2008. Chen
// 2008, section 4.3.3.1, uses a support vector machine too.) Example with x = (1, 0) positive and
// (0, 1) negative: w = (0.67, -0.67) and b = 0 for C = 1; the last third of the margin is cheaper
// to pay for as loss.
//
// cost C = 1 is liblinear's default and suits vectors of length 1, which callers should use:
// scaling the vectors has the same effect as changing C. balanced: C_i = C N / (2 · size of its
// class), so that ten relevant pages against a thousand others are not best explained by "never".
//
// The solver is liblinear's trust region Newton method on the primal problem (L2R_L2LOSS_SVC). Its
// coordinate descent solvers are faster, but they shuffle with rand(), whose state all threads
// share, so that the result would depend on other threads. This one draws no random numbers and
// keeps no state between calls, so several threads may train at once without a lock. The only
// global state, the print function, is set once. The sums are computed by BLAS: they are the same
// to the last bit on one machine, but not on every machine.
//
// Probabilities: sigmoid.cc, fitted to decision values of held-out examples (one_vs_rest.h), which
// takes `folds` more trainings of each machine.
//
// More than two classes: one machine for each class against the rest, which is as good as any other
// scheme for text (Rifkin and Klautau 2004), and the words that decided can be named for each
// class.
//
// Cost: some tens of passes over the entries for training, and one look-up for each feature for a
// decision. 8,000 documents of 150 features and four classes take 1 s, and 4 s with probabilities.

namespace dowser {
namespace {

LinearProblem problem_of(std::span<const Example> examples, const FeatureNumbers& numbers) {
  LinearProblem problem(numbers.size());
  for (const Example& e : examples) {
    problem.begin_row();
    for (const auto& entry : e.vector.entries())
      problem.add(numbers.number(entry.index), entry.value);
  }
  return problem;
}

LinearPlane solve(LinearProblem& problem, std::span<const size_t> learn,
                  std::span<const uint8_t> positive, const LinearSvmOptions& options) {
  std::vector<uint8_t> flags;
  for (const size_t i : learn) flags.push_back(positive[i]);
  const SideWeights balance = options.balanced ? balanced_weights(flags) : SideWeights{};
  return problem.solve(learn, positive,
                       {LinearProblem::Loss::kSquaredHinge, options.cost, options.tolerance,
                        balance.positive, balance.negative});
}

}  // namespace

LinearSvm::LinearSvm(Parts parts) : parts_(std::move(parts)), numbers_(parts_.features) {}

Result<LinearSvm> LinearSvm::train(std::span<const Example> examples,
                                   const LinearSvmOptions& options) {
  const Result<uint32_t> classes = classes_to_tell_apart(examples, kKind);
  if (!classes) return classes.error();
  if (!(options.cost > 0)) return Error{"cost of a linear SVM must be above 0"};
  if (!(options.tolerance > 0)) return Error{"tolerance of a linear SVM must be above 0"};
  const FeatureNumbers numbers = FeatureNumbers::of(examples);
  LinearProblem problem = problem_of(examples, numbers);
  const size_t machines = machine_count(*classes);
  std::vector<size_t> all(examples.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  Parts parts;
  parts.features.assign(numbers.indexes().begin(), numbers.indexes().end());
  parts.weights.resize(numbers.size() * machines);
  for (size_t m = 0; m < machines; ++m) {
    const std::vector<uint8_t> positive = positive_side(examples, m, *classes);
    const LinearPlane plane = solve(problem, all, positive, options);
    for (size_t f = 0; f < numbers.size(); ++f) {
      parts.weights[f * machines + m] = plane.weights[f];
    }
    parts.biases.push_back(plane.bias);
    parts.sigmoids.push_back(calibrate(
        positive, options.folds, [&](std::span<const size_t> learn, std::span<const size_t> ask) {
          const LinearPlane part = solve(problem, learn, positive, options);
          std::vector<double> decisions;
          for (const size_t i : ask) decisions.push_back(problem.decision(part, i));
          return decisions;
        }));
  }
  return LinearSvm(std::move(parts));
}

Result<LinearSvm> LinearSvm::from_parts(Parts parts) {
  if (parts.biases.empty()) return contradiction(kKind, "no machine");
  if (parts.weights.size() != parts.features.size() * parts.biases.size()) {
    return contradiction(kKind, "not one weight for each feature and machine");
  }
  if (parts.sigmoids.size() != parts.biases.size()) {
    return contradiction(kKind, "not one sigmoid for each machine");
  }
  if (!strictly_rising(parts.features)) return contradiction(kKind, "the features do not rise");
  return LinearSvm(std::move(parts));
}

Result<LinearSvm> LinearSvm::load(ByteReader& in) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts));
}

void LinearSvm::save(ByteWriter& out) const { save_parts(kKind, parts_, out); }

uint32_t LinearSvm::classes() const { return class_count_of(parts_.biases.size()); }

std::vector<double> LinearSvm::machine_values(const SparseVector& v) const {
  std::vector<double> values = parts_.biases;
  for (const auto& e : v.entries()) {
    const uint32_t f = numbers_.number(e.index);
    if (f == FeatureNumbers::kNone) continue;
    const double* row = &parts_.weights[f * values.size()];
    for (size_t m = 0; m < values.size(); ++m) values[m] += e.value * row[m];
  }
  return values;
}

std::vector<double> LinearSvm::decisions(const SparseVector& v) const {
  return decisions_by_class(machine_values(v));
}

std::vector<double> LinearSvm::probabilities(const SparseVector& v) const {
  return probabilities_by_class(machine_values(v), parts_.sigmoids);
}

double LinearSvm::weight(uint32_t feature, uint32_t label) const {
  const uint32_t f = numbers_.number(feature);
  if (f == FeatureNumbers::kNone) return 0;
  const size_t machines = parts_.biases.size();
  return decisions_by_class({&parts_.weights[f * machines], machines})[label];
}

double LinearSvm::bias(uint32_t label) const { return decisions_by_class(parts_.biases)[label]; }

SparseVector LinearSvm::contributions(const SparseVector& v, uint32_t label) const {
  std::vector<SparseVector::Entry> shares;
  for (const auto& e : v.entries()) shares.push_back({e.index, e.value * weight(e.index, label)});
  return SparseVector(std::move(shares));
}

}  // namespace dowser
