#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/result.h"
#include "learn/example.h"
#include "learn/sigmoid.h"

// Classification into many classes with two-class machines: machine m separates class m from all
// others. Two classes need one machine, which separates class 1 from class 0.

namespace dowser {

// The number of classes, if there are at least two and each has an example; `kind` is used in the
// message.
Result<uint32_t> classes_to_tell_apart(std::span<const Example> examples, std::string_view kind);

size_t machine_count(uint32_t classes);
uint32_t class_count_of(size_t machines);
// 1 for each example on the positive side of the machine.
std::vector<uint8_t> positive_side(std::span<const Example> examples, size_t machine,
                                   uint32_t classes);

// From one value for each machine to one for each class: with one machine, class 0 has the
// negative.
std::vector<double> decisions_by_class(std::span<const double> machines);
// The machines' probabilities, scaled to sum to 1.
std::vector<double> probabilities_by_class(std::span<const double> machines,
                                           std::span<const Sigmoid> sigmoids);

// Weights of positive and negative examples by which both classes weigh the same and an example
// weighs 1 on average: with 10 against 90 examples, 5 and 0.56.
struct SideWeights {
  double positive = 1;
  double negative = 1;
};
SideWeights balanced_weights(std::span<const uint8_t> positive);

// Trains on the examples `learn` and returns the decision values of the examples `ask`; both hold
// indexes of examples.
using LearnAndAsk = absl::FunctionRef<std::vector<double>(std::span<const size_t> learn,
                                                          std::span<const size_t> ask)>;

// A sigmoid fitted to decision values of examples that the machine was not trained on: the examples
// are divided into `folds` folds with the same shares of both classes, and each fold is classified
// after training on the others. If a class has too few examples for two folds, the training
// examples themselves are used, which makes the sigmoid too steep. With folds = 0 it is the
// logistic function.
Sigmoid calibrate(std::span<const uint8_t> positive, uint32_t folds, LearnAndAsk learn_and_ask);

}  // namespace dowser
