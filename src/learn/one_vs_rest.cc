#include "learn/one_vs_rest.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace dowser {

Result<uint32_t> classes_to_tell_apart(std::span<const Example> examples, std::string_view kind) {
  const size_t classes = class_count(examples);
  if (classes < 2) return Error{std::string(kind) + " needs examples of two classes"};
  // With more classes than examples one is empty; nothing of that size needs to be allocated.
  std::vector<uint8_t> seen(std::min(classes, examples.size()));
  for (const Example& e : examples) {
    if (e.label < seen.size()) seen[e.label] = 1;
  }
  const auto empty = std::find(seen.begin(), seen.end(), 0);
  if (empty != seen.end()) {
    return Error{std::string(kind) + ": class " + std::to_string(empty - seen.begin()) +
                 " has no examples"};
  }
  return static_cast<uint32_t>(classes);
}

size_t machine_count(uint32_t classes) { return classes == 2 ? 1 : classes; }

uint32_t class_count_of(size_t machines) {
  return machines == 1 ? 2 : static_cast<uint32_t>(machines);
}

std::vector<uint8_t> positive_side(std::span<const Example> examples, size_t machine,
                                   uint32_t classes) {
  const size_t positive = classes == 2 ? 1 : machine;
  std::vector<uint8_t> flags;
  flags.reserve(examples.size());
  for (const Example& e : examples) flags.push_back(e.label == positive);
  return flags;
}

std::vector<double> decisions_by_class(std::span<const double> machines) {
  if (machines.size() == 1) return {-machines[0], machines[0]};
  return {machines.begin(), machines.end()};
}

std::vector<double> probabilities_by_class(std::span<const double> machines,
                                           std::span<const Sigmoid> sigmoids) {
  if (machines.size() == 1) {
    const double p = sigmoids[0](machines[0]);
    return {1 - p, p};
  }
  std::vector<double> p;
  for (size_t m = 0; m < machines.size(); ++m) p.push_back(sigmoids[m](machines[m]));
  const double total = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& x : p) x = total > 0 ? x / total : 1.0 / static_cast<double>(p.size());
  return p;
}

SideWeights balanced_weights(std::span<const uint8_t> positive) {
  const double all = static_cast<double>(positive.size());
  const double n = static_cast<double>(std::count(positive.begin(), positive.end(), 1));
  if (n == 0 || n == all) return {};
  return {all / (2 * n), all / (2 * (all - n))};
}

Sigmoid calibrate(std::span<const uint8_t> positive, uint32_t folds, LearnAndAsk learn_and_ask) {
  if (folds == 0) return {};
  const size_t n = static_cast<size_t>(std::count(positive.begin(), positive.end(), 1));
  const size_t heaps = std::min({size_t{folds}, n, positive.size() - n});
  if (heaps < 2) {
    std::vector<size_t> all(positive.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return fit_sigmoid(learn_and_ask(all, all), positive);
  }
  std::vector<size_t> heap;
  size_t dealt[2] = {0, 0};
  for (const uint8_t flag : positive) heap.push_back(dealt[flag]++ % heaps);
  std::vector<double> decisions(positive.size());
  for (size_t h = 0; h < heaps; ++h) {
    std::vector<size_t> learn, ask;
    for (size_t i = 0; i < heap.size(); ++i) (heap[i] == h ? ask : learn).push_back(i);
    const std::vector<double> answers = learn_and_ask(learn, ask);
    for (size_t i = 0; i < ask.size(); ++i) decisions[ask[i]] = answers[i];
  }
  return fit_sigmoid(decisions, positive);
}

}  // namespace dowser
