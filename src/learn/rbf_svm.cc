#include "learn/rbf_svm.h"

#include <libsvm/svm.h>

#include <cmath>
#include <memory>

#include "learn/one_vs_rest.h"
#include "learn/saved_parts.h"

// A support vector machine that compares a document with the examples themselves instead of using a
// weight for each word:
//
//   f(x) = b + sum over examples i of a_i y_i exp(-gamma |x - x_i|²),   0 <= a_i <= C_i
//
// Only the examples near the border get an a_i above 0; they are the support vectors. With the
// kernel the border may be curved, so that two clusters of one class on either side of the other
// class can be separated, which no linear machine can do. (Boser, Guyon and Vapnik 1992; libsvm's
// C-SVC, Chang and Lin 2011. Chen 2008, section 4.3.3.1, uses this kernel and reports 1 to 2 % over
// the linear one on Reuters; expect no more.)
//
// cost and balanced are as in linear_svm.cc, but the loss is not squared. gamma: Chen does not give
// a value. libsvm's default of 1 / features makes every exp() almost 1 for the short vectors of
// text. A useful gamma gives an example and an average other one a kernel of about 1/e², so it is 1
// / (sum over features of their variance), that is 1 / (features * mean variance of a feature). The
// mean of |x - y|² over pairs is twice that sum. For vectors of length 1 this is 1 to 2.
//
// libsvm draws random numbers only for its own cross-validation and probabilities, which are not
// used; the sigmoid is ours (sigmoid.cc), as for the linear machine. So nothing depends on global
// state, and several threads may train at once. The print function is set once.
//
// Cost: training is quadratic in the number of examples, and a decision is linear in the number of
// support vectors (inverted_vectors.h), so this is for thousands of examples, not for millions.
// Almost all of the time goes into kernels, which libsvm computes again for every machine and every
// fold. So up to 3,000 examples they are computed once, with the inverted index, and libsvm is
// given the table: 0.1 s instead of 11 s for 1,000 documents of 150 features and four classes. For
// more examples it gets the vectors, with features numbered densely.

namespace dowser {
namespace {

constexpr double kCacheMegabytes = 100;    // libsvm's default
constexpr size_t kMostPrecomputed = 3000;  // examples; 16 bytes for each pair, at most 144 MB

double gaussian(double gamma, double squared_distance) {
  return std::exp(-gamma * squared_distance);
}

struct Machine {
  std::vector<std::pair<size_t, double>> coefficients;  // example, a_i y_i
  double bias = 0;
};

// The examples in libsvm's form.
class Problem {
 public:
  Problem(std::span<const Example> examples, const RbfSvmOptions& options, double gamma)
      : options_(options), gamma_(gamma) {
    static const bool silenced = (svm_set_print_string_function([](const char*) {}), true);
    static_cast<void>(silenced);
    precomputed_ = examples.size() <= kMostPrecomputed;
    precomputed_ ? set_kernels(examples) : set_vectors(examples);
  }

  Machine solve(std::span<const size_t> learn, std::span<const uint8_t> positive) {
    std::vector<svm_node*> rows;
    std::vector<double> sides;
    std::vector<uint8_t> flags;
    for (const size_t i : learn) {
      rows.push_back(&nodes_[begins_[i]]);
      sides.push_back(positive[i] ? 1 : -1);
      flags.push_back(positive[i]);
    }
    const SideWeights balance = options_.balanced ? balanced_weights(flags) : SideWeights{};
    int labels[] = {1, -1};
    double weights[] = {balance.positive, balance.negative};
    const svm_problem problem{static_cast<int>(rows.size()), sides.data(), rows.data()};
    const svm_parameter parameter{.svm_type = C_SVC,
                                  .kernel_type = precomputed_ ? PRECOMPUTED : RBF,
                                  .gamma = gamma_,
                                  .cache_size = kCacheMegabytes,
                                  .eps = options_.tolerance,
                                  .C = options_.cost,
                                  .nr_weight = 2,
                                  .weight_label = labels,
                                  .weight = weights,
                                  .shrinking = 1,
                                  .probability = 0};
    struct Destroy {
      void operator()(svm_model* m) const { svm_free_and_destroy_model(&m); }
    };
    const std::unique_ptr<svm_model, Destroy> model(svm_train(&problem, &parameter));
    // The positive side is the class that libsvm met first.
    const double sign = model->label[0] == 1 ? 1 : -1;
    Machine machine{.coefficients = {}, .bias = -sign * model->rho[0]};
    for (int i = 0; i < model->l; ++i) {
      machine.coefficients.emplace_back(learn[static_cast<size_t>(model->sv_indices[i]) - 1],
                                        sign * model->sv_coef[0][i]);
    }
    return machine;
  }

 private:
  void set_vectors(std::span<const Example> examples) {
    const FeatureNumbers numbers = FeatureNumbers::of(examples);
    for (const Example& e : examples) {
      begins_.push_back(nodes_.size());
      for (const auto& entry : e.vector.entries()) {
        nodes_.push_back({static_cast<int>(numbers.number(entry.index)) + 1, entry.value});
      }
      nodes_.push_back({-1, 0});
    }
  }

  // A row is the number of the example, counted from 1, and its kernel with each example.
  void set_kernels(std::span<const Example> examples) {
    std::vector<SparseVector> vectors;
    std::vector<double> squares;
    for (const Example& e : examples) {
      vectors.push_back(e.vector);
      squares.push_back(dot(e.vector, e.vector));
    }
    const InvertedVectors index(vectors);
    for (size_t i = 0; i < vectors.size(); ++i) {
      begins_.push_back(nodes_.size());
      nodes_.push_back({0, static_cast<double>(i + 1)});
      const std::vector<double> dots = index.dots(vectors[i]);
      for (size_t j = 0; j < dots.size(); ++j) {
        nodes_.push_back(
            {static_cast<int>(j + 1), gaussian(gamma_, squares[i] + squares[j] - 2 * dots[j])});
      }
    }
  }

  const RbfSvmOptions& options_;
  const double gamma_;
  bool precomputed_ = false;
  std::vector<svm_node> nodes_;
  std::vector<size_t> begins_;
};

// 1 / (sum of the variances of the features) = 1 / (mean of |x|² - |mean of x|²).
double gamma_of(std::span<const Example> examples) {
  const double n = static_cast<double>(examples.size());
  const FeatureNumbers numbers = FeatureNumbers::of(examples);
  std::vector<double> mean(numbers.size());
  double squares = 0;
  for (const Example& e : examples) {
    for (const auto& entry : e.vector.entries()) {
      mean[numbers.number(entry.index)] += entry.value / n;
      squares += entry.value * entry.value / n;
    }
  }
  for (const double m : mean) squares -= m * m;
  return squares > 1e-12 ? 1 / squares : 1;
}

// Merges the machines into one set of support vectors.
RbfSvm::Parts joined(std::span<const Example> examples, std::span<const Machine> machines,
                     double gamma) {
  RbfSvm::Parts parts{.gamma = gamma};
  std::vector<double> table(examples.size() * machines.size());
  std::vector<uint8_t> supports(examples.size());
  for (size_t m = 0; m < machines.size(); ++m) {
    for (const auto& [i, coefficient] : machines[m].coefficients) {
      table[i * machines.size() + m] = coefficient;
      supports[i] = 1;
    }
    parts.biases.push_back(machines[m].bias);
  }
  for (size_t i = 0; i < examples.size(); ++i) {
    if (!supports[i]) continue;
    parts.vectors.push_back(examples[i].vector);
    const auto row = table.begin() + static_cast<ptrdiff_t>(i * machines.size());
    parts.coefficients.insert(parts.coefficients.end(), row,
                              row + static_cast<ptrdiff_t>(machines.size()));
  }
  parts.sigmoids.resize(machines.size());
  return parts;
}

}  // namespace

RbfSvm::RbfSvm(Parts parts) : parts_(std::move(parts)), index_(parts_.vectors) {
  for (const SparseVector& v : parts_.vectors) squares_.push_back(dot(v, v));
}

Result<RbfSvm> RbfSvm::train(std::span<const Example> examples, const RbfSvmOptions& options) {
  const Result<uint32_t> classes = classes_to_tell_apart(examples, kKind);
  if (!classes) return classes.error();
  if (!(options.cost > 0)) return Error{"cost of an RBF SVM must be above 0"};
  if (!(options.gamma >= 0)) return Error{"gamma of an RBF SVM must not be negative"};
  if (!(options.tolerance > 0)) return Error{"tolerance of an RBF SVM must be above 0"};
  const double gamma = options.gamma > 0 ? options.gamma : gamma_of(examples);
  Problem problem(examples, options, gamma);
  std::vector<size_t> all(examples.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<Machine> machines;
  std::vector<Sigmoid> sigmoids;
  for (size_t m = 0; m < machine_count(*classes); ++m) {
    const std::vector<uint8_t> positive = positive_side(examples, m, *classes);
    machines.push_back(problem.solve(all, positive));
    sigmoids.push_back(calibrate(positive, options.folds,
                                 [&](std::span<const size_t> learn, std::span<const size_t> ask) {
                                   const Machine part = problem.solve(learn, positive);
                                   const RbfSvm svm(joined(examples, {&part, 1}, gamma));
                                   std::vector<double> decisions;
                                   for (const size_t i : ask)
                                     decisions.push_back(svm.machine_values(examples[i].vector)[0]);
                                   return decisions;
                                 }));
  }
  Parts parts = joined(examples, machines, gamma);
  parts.sigmoids = std::move(sigmoids);
  return RbfSvm(std::move(parts));
}

Result<RbfSvm> RbfSvm::from_parts(Parts parts) {
  if (parts.biases.empty()) return contradiction(kKind, "no machine");
  if (parts.coefficients.size() != parts.vectors.size() * parts.biases.size()) {
    return contradiction(kKind, "not one coefficient for each vector and machine");
  }
  if (parts.sigmoids.size() != parts.biases.size()) {
    return contradiction(kKind, "not one sigmoid for each machine");
  }
  if (!(parts.gamma > 0)) return contradiction(kKind, "gamma is not above 0");
  return RbfSvm(std::move(parts));
}

Result<RbfSvm> RbfSvm::load(ByteReader& in) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts));
}

void RbfSvm::save(ByteWriter& out) const { save_parts(kKind, parts_, out); }

uint32_t RbfSvm::classes() const { return class_count_of(parts_.biases.size()); }

std::vector<double> RbfSvm::machine_values(const SparseVector& v) const {
  std::vector<double> values = parts_.biases;
  const double square = dot(v, v);
  const std::vector<double> dots = index_.dots(v);
  for (size_t i = 0; i < dots.size(); ++i) {
    const double kernel = gaussian(parts_.gamma, square + squares_[i] - 2 * dots[i]);
    const double* row = &parts_.coefficients[i * values.size()];
    for (size_t m = 0; m < values.size(); ++m) values[m] += row[m] * kernel;
  }
  return values;
}

std::vector<double> RbfSvm::decisions(const SparseVector& v) const {
  return decisions_by_class(machine_values(v));
}

std::vector<double> RbfSvm::probabilities(const SparseVector& v) const {
  return probabilities_by_class(machine_values(v), parts_.sigmoids);
}

}  // namespace dowser
