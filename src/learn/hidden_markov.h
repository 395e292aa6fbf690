#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

// A hidden Markov model whose states were seen in training: where are we, given what has been
// observed along the way? The equations are in the .cc file.

namespace dowser {

// Numbers of a matrix, row by row.
struct CountMatrix {
  uint32_t rows = 0, columns = 0;
  std::vector<double> values;

  CountMatrix() = default;
  CountMatrix(uint32_t rows, uint32_t columns)
      : rows(rows), columns(columns), values(size_t{rows} * columns) {}
  double& at(size_t row, size_t column) { return values[row * columns + column]; }
  double at(size_t row, size_t column) const { return values[row * columns + column]; }
  std::span<const double> row(size_t r) const {
    return std::span(values).subspan(r * columns, columns);
  }
  static void each(auto& m, auto& field) { field(m.rows), field(m.columns), field(m.values); }
  friend bool operator==(const CountMatrix&, const CountMatrix&) = default;
};

class HiddenMarkov {
 public:
  struct Parts {
    CountMatrix transitions;  // A: from state, to state; each row sums to 1
    CountMatrix emissions;    // B: state, symbol; each row sums to 1

    static void each(auto& p, auto& field) { field(p.transitions), field(p.emissions); }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "hidden Markov";
  static constexpr double kDefaultSmoothing = 0.1;

  // From counts: of steps from state to state, and of symbols seen in each state. `smoothing` is
  // added to every count; a row without counts and smoothing becomes uniform.
  static Result<HiddenMarkov> train(const CountMatrix& steps, const CountMatrix& symbols,
                                    double smoothing = kDefaultSmoothing);
  static Result<HiddenMarkov> from_parts(Parts parts);
  static Result<HiddenMarkov> load(ByteReader& in);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  uint32_t states() const { return parts_.transitions.rows; }
  uint32_t symbols() const { return parts_.emissions.columns; }

  // P(symbol | state) for each state: of one symbol, below symbols(), or of an observation that may
  // be any of several, given the share of each symbol.
  std::vector<double> likelihood(uint32_t symbol) const;
  std::vector<double> likelihood(std::span<const double> shares) const;

  // Distributions over the states; each sums to 1. A symbol is below symbols().
  // After the first observation, all states being equally likely before it.
  std::vector<double> start(uint32_t symbol) const;
  // After one more observation.
  std::vector<double> forward(std::span<const double> before, uint32_t symbol) const;
  // Of the next step, before anything is observed there.
  std::vector<double> predict(std::span<const double> now) const;
  // Before anything was observed: all states are equally likely.
  std::vector<double> uniform() const { return std::vector<double>(states(), 1.0 / states()); }

 private:
  explicit HiddenMarkov(Parts parts) : parts_(std::move(parts)) {}

  Parts parts_;
};

// What is expected, after an observation with these likelihoods. An observation that is impossible
// in every state carries no information: the expectation stays.
std::vector<double> observed(std::vector<double> expected, std::span<const double> likelihood);

// A matrix of counts as shares of its rows, after `smoothing` was added to every count; a row of
// zeros becomes uniform. And whether a matrix of that many rows consists of such shares.
CountMatrix row_shares(CountMatrix counts, double smoothing);
bool has_row_shares(const CountMatrix& m, uint32_t rows);

// A distribution over up to kMostPriorityStates states as numbers that are compared one after the
// other, largest first: by the probability of state 0, then of state 1, and so on, each rounded to
// a multiple of `kPriorityStep`. The first number is the rounded probability of state 0, apart from
// less than kPriorityStep that the next states add, so people can read it.
inline constexpr size_t kMostPriorityStates = 20;
inline constexpr double kPriorityStep = 0.001;
std::array<double, 4> packed_priority(std::span<const double> distribution);

}  // namespace dowser
