#include "learn/hidden_markov.h"

#include <algorithm>
#include <cmath>

#include "learn/saved_parts.h"

// A hidden Markov model (Rabiner 1989) as Liu, Janssen and Milios 2005 use it: a walker is in one
// of n states that cannot be seen; at every step it changes state with the probabilities A and
// shows a symbol with the probabilities B. In training the states are known, so A and B are shares
// of counts, and no Baum-Welch is needed:
//
//   a_ij = (steps from i to j + s) / (steps from i + s n)            s: smoothing
//   b_jk = (symbol k in state j + s) / (symbols in state j + s m)    m symbols
//
// Equation 3 of the paper as printed divides by the sum of a column, so that the rows of A would
// not sum to 1, which equation 7 needs. Without smoothing a step that was never seen has
// probability 0 and makes a path impossible for ever.
//
// Where is the walker now, given what it has shown so far? The forward values (equations 7 and 8),
// from a uniform distribution at the start:
//
//   first        α_j  ∝  1/n b_jk
//   one more     α'_j ∝  b_jk sum_i α_i a_ij
//   prediction   P_j   = sum_i α_i a_ij
//
// α is divided by its sum at every step. As printed it is a joint probability with all
// observations, which falls by a factor of 3 to 10 a step: after a few links every component is
// below the 0.001 by which priorities are distinguished, and after some hundred it underflows.
// Divided, it is the distribution P(state | observations) that the text of the paper speaks of.
//
// Example, 2 states, A = (0.9 0.1; 0.5 0.5), B = (0.8 0.2; 0.3 0.7). Symbol 0 first: α ∝ (0.4,
// 0.15) = (0.727, 0.273). Prediction: (0.791, 0.209).
//
// An observation that is impossible (only without smoothing) tells nothing: the expectation stays.
//
// Priorities. The paper compares predictions component by component and holds two equal that differ
// by less than 0.001. That is not an order: 0 "equals" 0.0009, which equals 0.0018, which does not
// equal 0. Here every component is rounded to a multiple of 0.001 first; comparing what is rounded
// is a strict weak ordering. A rounded component has 1001 values, 10 bits; five fit exactly into a
// double as a whole number of 50 bits, and 20 states into the four numbers of a Score.
//
// Cost: n² multiplications a step.

namespace dowser {
namespace {

constexpr int kBitsOfComponent = 10;
constexpr size_t kComponentsOfPart = 5;

}  // namespace

CountMatrix row_shares(CountMatrix counts, double smoothing) {
  for (size_t r = 0; r < counts.rows; ++r) {
    double total = 0;
    for (size_t c = 0; c < counts.columns; ++c) total += counts.at(r, c) += smoothing;
    for (size_t c = 0; c < counts.columns; ++c) {
      counts.at(r, c) = total > 0 ? counts.at(r, c) / total : 1.0 / counts.columns;
    }
  }
  return counts;
}

bool has_row_shares(const CountMatrix& m, uint32_t rows) {
  if (m.rows != rows || m.columns == 0 || m.values.size() != size_t{m.rows} * m.columns) {
    return false;
  }
  for (size_t r = 0; r < m.rows; ++r) {
    double total = 0;
    for (const double x : m.row(r)) {
      if (!(x >= 0)) return false;
      total += x;
    }
    if (!(std::abs(total - 1) < 1e-9)) return false;
  }
  return true;
}

Result<HiddenMarkov> HiddenMarkov::train(const CountMatrix& steps, const CountMatrix& symbols,
                                         double smoothing) {
  if (!(smoothing >= 0)) return Error{"the smoothing of a hidden Markov model must be 0 or more"};
  return from_parts({row_shares(steps, smoothing), row_shares(symbols, smoothing)});
}

Result<HiddenMarkov> HiddenMarkov::from_parts(Parts parts) {
  const uint32_t n = parts.transitions.rows;
  if (n == 0 || n > kMostPriorityStates) {
    return contradiction(kKind, "there must be 1 to 20 states");
  }
  if (parts.transitions.columns != n || !has_row_shares(parts.transitions, n)) {
    return contradiction(kKind, "the transitions of a state do not sum to 1");
  }
  if (!has_row_shares(parts.emissions, n)) {
    return contradiction(kKind, "the emissions of a state do not sum to 1");
  }
  return HiddenMarkov(std::move(parts));
}

Result<HiddenMarkov> HiddenMarkov::load(ByteReader& in) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts));
}

void HiddenMarkov::save(ByteWriter& out) const { save_parts(kKind, parts_, out); }

std::vector<double> observed(std::vector<double> expected, std::span<const double> likelihood) {
  std::vector<double> alpha(expected.size());
  double total = 0;
  for (size_t j = 0; j < alpha.size(); ++j) total += alpha[j] = expected[j] * likelihood[j];
  if (!(total > 0)) return expected;
  for (double& x : alpha) x /= total;
  return alpha;
}

std::vector<double> HiddenMarkov::likelihood(uint32_t symbol) const {
  std::vector<double> of(states());
  for (size_t j = 0; j < of.size(); ++j) of[j] = parts_.emissions.at(j, symbol);
  return of;
}

std::vector<double> HiddenMarkov::likelihood(std::span<const double> shares) const {
  std::vector<double> of(states());
  for (size_t j = 0; j < of.size(); ++j) {
    for (size_t k = 0; k < shares.size(); ++k) of[j] += shares[k] * parts_.emissions.at(j, k);
  }
  return of;
}

std::vector<double> HiddenMarkov::start(uint32_t symbol) const {
  return observed(uniform(), likelihood(symbol));
}

std::vector<double> HiddenMarkov::forward(std::span<const double> before, uint32_t symbol) const {
  return observed(predict(before), likelihood(symbol));
}

std::vector<double> HiddenMarkov::predict(std::span<const double> now) const {
  std::vector<double> next(states());
  for (size_t i = 0; i < next.size(); ++i) {
    const std::span<const double> row = parts_.transitions.row(i);
    for (size_t j = 0; j < next.size(); ++j) next[j] += now[i] * row[j];
  }
  return next;
}

std::array<double, 4> packed_priority(std::span<const double> distribution) {
  std::array<uint64_t, 4> packed{};
  for (size_t i = 0; i < kMostPriorityStates; ++i) {
    const double p = i < distribution.size() ? std::clamp(distribution[i], 0.0, 1.0) : 0;
    const auto rounded = static_cast<uint64_t>(std::lround(p / kPriorityStep));
    uint64_t& part = packed[i / kComponentsOfPart];
    part = part << kBitsOfComponent | rounded;
  }
  std::array<double, 4> parts{};
  // The first component of each part becomes the whole number of steps again. No two parts become
  // equal, since a part has fewer bits than the mantissa.
  constexpr double kOneStep = uint64_t{1} << kBitsOfComponent * (kComponentsOfPart - 1);
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i] = static_cast<double>(packed[i]) / kOneStep * kPriorityStep;
  }
  return parts;
}

}  // namespace dowser
