#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/result.h"
#include "learn/example.h"
#include "learn/sigmoid.h"

// Many classes with machines that know only two sides: machine m tells class m from all others. Two
// classes need one machine, which tells class 1 from class 0.

namespace dowser {

// The number of classes, if there are two or more and each has an example; `kind` is for the
// message.
Result<uint32_t> classes_to_tell_apart(std::span<const Example> examples, std::string_view kind);

size_t machine_count(uint32_t classes);
uint32_t class_count_of(size_t machines);
// 1 for each example on the positive side of the machine.
std::vector<uint8_t> positive_side(std::span<const Example> examples, size_t machine,
                                   uint32_t classes);

// From one value a machine to one a class: with a single machine, that of class 0 is the negative.
std::vector<double> decisions_by_class(std::span<const double> machines);
// The machines' probabilities, scaled to sum to 1.
std::vector<double> probabilities_by_class(std::span<const double> machines,
                                           std::span<const Sigmoid> sigmoids);

// Weights of the positive and of the negative side by which both count as much, and an example 1 on
// average: with 10 against 90 examples, 5 and 0.56.
struct SideWeights {
  double positive = 1;
  double negative = 1;
};
SideWeights balanced_weights(std::span<const uint8_t> positive);

// Learns from the examples `learn` and gives the decision values of the examples `ask`; both are
// numbers of examples.
using LearnAndAsk = absl::FunctionRef<std::vector<double>(std::span<const size_t> learn,
                                                          std::span<const size_t> ask)>;

// A sigmoid fitted to decision values of examples that the machine had not learned from: the
// examples are dealt into `folds` heaps, both sides evenly, and each heap is asked about after
// learning from the others. Where a side has too few examples for two heaps, the examples that were
// learned from are asked about, which makes the sigmoid too steep. folds = 0: the logistic
// function.
Sigmoid calibrate(std::span<const uint8_t> positive, uint32_t folds, LearnAndAsk learn_and_ask);

}  // namespace dowser
