#include "learn/neural_net.h"

#include <cassert>
#include <cmath>

#include "learn/saved_parts.h"

// A feed-forward net. Each agent of InfoSpiders has one (Küçük 2009, section 4.1): the inputs say
// how near each keyword is to a link, and the output estimates how good the link is. Each unit
// computes
//
//   o_j = tanh(b_j + sum over k of w_jk in_k)                                    (equation 4-2)
//
// (Küçük calls it a logistic function, but the formula is tanh, and so is this.) Example with two
// inputs (1, 0), one unit, w = (0.5, -1), b = 0: the output is tanh(0.5) = 0.46. The output unit
// may also be linear, for targets of any size, or logistic, for probabilities.
//
// It learns by back-propagation (Rumelhart, Hinton and Williams 1986): after each example every
// weight takes a step down the gradient of E = 1/2 sum of (o - t)²:
//
//   delta_j = (o_j - t_j) g'(j)                                 in the output layer
//   delta_j = (sum over units i above of delta_i w_ij) g'(j)    below
//   w_jk   -= rate delta_j in_k,   b_j -= rate delta_j
//
// g' is 1 - o² for tanh, o (1 - o) for the logistic function, 1 for the linear one. There is one
// step for each example and no batches, because an agent learns from each page when it is fetched.
// Without hidden layers this is a perceptron with the delta rule.
//
// Küçük gives neither a rate nor initial weights. Initial weights of 0.1 keep tanh in its linear
// part, where gradients are largest. An offspring differs from its parent by noise on a fraction of
// the weights and by one more keyword, which is an input with small weights.
//
// Cost: two passes over the weights for each step. The caller provides the random numbers, so that
// a crawl is reproducible.

namespace dowser {
namespace {

double drawn(Random& random, double size) { return size * (2 * random.uniform() - 1); }

double activation(double x, NeuralNet::Output kind) {
  switch (kind) {
    case NeuralNet::Output::kTanh:
      return std::tanh(x);
    case NeuralNet::Output::kLinear:
      return x;
    case NeuralNet::Output::kLogistic:
      return 1 / (1 + std::exp(-x));
  }
  return x;
}

// The derivative, computed from the output, which is all that is kept.
double slope(double o, NeuralNet::Output kind) {
  switch (kind) {
    case NeuralNet::Output::kTanh:
      return 1 - o * o;
    case NeuralNet::Output::kLinear:
      return 1;
    case NeuralNet::Output::kLogistic:
      return o * (1 - o);
  }
  return 1;
}

double half_squares(std::span<const double> output, std::span<const double> target) {
  double total = 0;
  for (size_t j = 0; j < output.size(); ++j) {
    total += (output[j] - target[j]) * (output[j] - target[j]) / 2;
  }
  return total;
}

}  // namespace

NeuralNet::NeuralNet(uint32_t inputs, std::span<const uint32_t> hidden, uint32_t outputs,
                     Output output, Random& random, double weight) {
  parts_.output = output;
  const auto add_layer = [&](uint32_t units) {
    assert(units > 0);
    Layer layer{.inputs = inputs,
                .weights = std::vector<double>(size_t{inputs} * units),
                .biases = std::vector<double>(units)};
    for (double& w : layer.weights) w = drawn(random, weight);
    parts_.layers.push_back(std::move(layer));
    inputs = units;
  };
  for (const uint32_t units : hidden) add_layer(units);
  add_layer(outputs);
}

Result<NeuralNet> NeuralNet::from_parts(Parts parts) {
  if (parts.layers.empty()) return contradiction(kKind, "no layer");
  if (parts.output > Output::kLogistic) return contradiction(kKind, "an unknown kind of output");
  for (size_t i = 0; i < parts.layers.size(); ++i) {
    const Layer& layer = parts.layers[i];
    if (layer.biases.empty()) return contradiction(kKind, "a layer without units");
    if (layer.weights.size() != layer.inputs * layer.biases.size()) {
      return contradiction(kKind, "not one weight for each input of each unit");
    }
    if (i > 0 && layer.inputs != parts.layers[i - 1].biases.size()) {
      return contradiction(kKind, "a layer has not one input for each unit below");
    }
  }
  return NeuralNet(std::move(parts));
}

Result<NeuralNet> NeuralNet::load(ByteReader& in) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts));
}

void NeuralNet::save(ByteWriter& out) const { save_parts(kKind, parts_, out); }

std::vector<std::vector<double>> NeuralNet::activations(std::span<const double> input) const {
  assert(input.size() == inputs());
  std::vector<std::vector<double>> all;
  for (const Layer& layer : parts_.layers) {
    const Output kind = &layer == &parts_.layers.back() ? parts_.output : Output::kTanh;
    std::vector<double> out = layer.biases;
    for (size_t j = 0; j < out.size(); ++j) {
      const double* w = layer.weights.data() + j * layer.inputs;
      for (size_t k = 0; k < layer.inputs; ++k) out[j] += w[k] * input[k];
      out[j] = activation(out[j], kind);
    }
    all.push_back(std::move(out));
    input = all.back();
  }
  return all;
}

std::vector<double> NeuralNet::forward(std::span<const double> input) const {
  return std::move(activations(input).back());
}

double NeuralNet::error(std::span<const double> input, std::span<const double> target) const {
  return half_squares(forward(input), target);
}

std::vector<NeuralNet::Layer> NeuralNet::gradient(std::span<const double> input,
                                                  std::span<const double> target) const {
  assert(target.size() == outputs());
  const std::vector<std::vector<double>> out = activations(input);
  std::vector<Layer> gradient(parts_.layers.size());
  std::vector<double> pull(target.size());  // derivative of the error by the output of the layer
  for (size_t j = 0; j < pull.size(); ++j) pull[j] = out.back()[j] - target[j];
  for (size_t i = parts_.layers.size(); i-- > 0;) {
    const Layer& layer = parts_.layers[i];
    const Output kind = i + 1 == parts_.layers.size() ? parts_.output : Output::kTanh;
    const std::span<const double> in = i > 0 ? std::span<const double>(out[i - 1]) : input;
    gradient[i] = {layer.inputs, std::vector<double>(layer.weights.size()), {}};
    std::vector<double> pull_below(layer.inputs);
    for (size_t j = 0; j < layer.biases.size(); ++j) {
      const double delta = pull[j] * slope(out[i][j], kind);
      gradient[i].biases.push_back(delta);
      const size_t row = j * layer.inputs;
      for (size_t k = 0; k < layer.inputs; ++k) {
        gradient[i].weights[row + k] = delta * in[k];
        pull_below[k] += delta * layer.weights[row + k];
      }
    }
    pull = std::move(pull_below);
  }
  return gradient;
}

double NeuralNet::learn(std::span<const double> input, std::span<const double> target,
                        double rate) {
  const double before = error(input, target);
  const std::vector<Layer> slopes = gradient(input, target);
  for (size_t i = 0; i < slopes.size(); ++i) {
    Layer& layer = parts_.layers[i];
    for (size_t n = 0; n < layer.weights.size(); ++n) {
      layer.weights[n] -= rate * slopes[i].weights[n];
    }
    for (size_t j = 0; j < layer.biases.size(); ++j) layer.biases[j] -= rate * slopes[i].biases[j];
  }
  return before;
}

void NeuralNet::add_noise(Random& random, double fraction, double amount) {
  const auto shake = [&](double& w) {
    if (random.uniform() < fraction) w += drawn(random, amount);
  };
  for (Layer& layer : parts_.layers) {
    for (double& w : layer.weights) shake(w);
    for (double& b : layer.biases) shake(b);
  }
}

void NeuralNet::add_input(Random& random, double weight) {
  Layer& first = parts_.layers.front();
  std::vector<double> weights;
  for (size_t j = 0; j < first.biases.size(); ++j) {
    const auto row = first.weights.begin() + static_cast<ptrdiff_t>(j * first.inputs);
    weights.insert(weights.end(), row, row + static_cast<ptrdiff_t>(first.inputs));
    weights.push_back(drawn(random, weight));
  }
  first.weights = std::move(weights);
  ++first.inputs;
}

}  // namespace dowser
