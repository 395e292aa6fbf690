#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/random.h"
#include "base/result.h"

namespace dowser {

// A small feed-forward net that learns from one example at a time; neural_net.cc describes it.
class NeuralNet {
 public:
  enum class Output : uint8_t { kTanh, kLinear, kLogistic };  // -1…1, any number, 0…1

  struct Layer {
    uint32_t inputs = 0;
    std::vector<double> weights;  // weights[unit * inputs + input]
    std::vector<double> biases;   // of each unit

    static void each(auto& l, auto& field) { field(l.inputs), field(l.weights), field(l.biases); }
    friend bool operator==(const Layer&, const Layer&) = default;
  };
  struct Parts {
    Output output = Output::kTanh;
    std::vector<Layer> layers;  // the hidden layers, then the output layer

    static void each(auto& p, auto& field) { field(p.output), field(p.layers); }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "neural net";
  static constexpr double kSmallWeight = 0.1;

  // Weights are drawn uniformly from -weight…weight, biases are 0. `hidden` holds the number of
  // units of each hidden layer; if it is empty, the net is a perceptron. Only `inputs` may be 0.
  NeuralNet(uint32_t inputs, std::span<const uint32_t> hidden, uint32_t outputs, Output output,
            Random& random, double weight = kSmallWeight);
  static Result<NeuralNet> from_parts(Parts parts);
  static Result<NeuralNet> load(ByteReader& in);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  uint32_t inputs() const { return parts_.layers.front().inputs; }
  size_t outputs() const { return parts_.layers.back().biases.size(); }
  // The sizes of inputs and targets must be those of the net.
  std::vector<double> forward(std::span<const double> input) const;
  // 1/2 sum of (output - target)².
  double error(std::span<const double> input, std::span<const double> target) const;
  // The gradient of the error by all weights and biases, in the shape of the layers.
  std::vector<Layer> gradient(std::span<const double> input, std::span<const double> target) const;
  // One step of back-propagation; returns the error before it.
  double learn(std::span<const double> input, std::span<const double> target, double rate);

  // Adds noise from -amount…amount to each weight and bias with the probability `fraction`.
  void add_noise(Random& random, double fraction, double amount);
  // Adds an input after the others; its weights are drawn as in the beginning.
  void add_input(Random& random, double weight = kSmallWeight);

 private:
  explicit NeuralNet(Parts parts) : parts_(std::move(parts)) {}
  // The output of each layer.
  std::vector<std::vector<double>> activations(std::span<const double> input) const;

  Parts parts_;
};

}  // namespace dowser
