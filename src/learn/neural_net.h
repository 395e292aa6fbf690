#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/random.h"
#include "base/result.h"

namespace dowser {

// A small feed-forward net that learns one step at a time; the idea is told in the .cc file.
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
    std::vector<Layer> layers;  // the hidden ones, then that of the outputs

    static void each(auto& p, auto& field) { field(p.output), field(p.layers); }
    friend bool operator==(const Parts&, const Parts&) = default;
  };
  static constexpr std::string_view kKind = "neural net";
  static constexpr double kSmallWeight = 0.1;

  // Weights are drawn evenly from -weight…weight, biases are 0. `hidden` holds the number of units
  // of each hidden layer; empty is a perceptron. None of the numbers may be 0, but `inputs` may.
  NeuralNet(uint32_t inputs, std::span<const uint32_t> hidden, uint32_t outputs, Output output,
            Random& random, double weight = kSmallWeight);
  static Result<NeuralNet> from_parts(Parts parts);
  static Result<NeuralNet> load(ByteReader& in);
  void save(ByteWriter& out) const;
  const Parts& parts() const { return parts_; }

  uint32_t inputs() const { return parts_.layers.front().inputs; }
  size_t outputs() const { return parts_.layers.back().biases.size(); }
  // As many numbers go in as there are inputs, and as many targets as outputs.
  std::vector<double> forward(std::span<const double> input) const;
  // 1/2 sum of (output - target)².
  double error(std::span<const double> input, std::span<const double> target) const;
  // Of the error: the slopes of all weights and biases, in the shape of the layers.
  std::vector<Layer> gradient(std::span<const double> input, std::span<const double> target) const;
  // One step of back-propagation; returns the error before it.
  double learn(std::span<const double> input, std::span<const double> target, double rate);

  // To each weight and bias, with the probability `fraction`, something from -amount…amount is
  // added.
  void add_noise(Random& random, double fraction, double amount);
  // One more input, after the others; its weights are drawn as at the start.
  void add_input(Random& random, double weight = kSmallWeight);

 private:
  explicit NeuralNet(Parts parts) : parts_(std::move(parts)) {}
  // What leaves each layer.
  std::vector<std::vector<double>> activations(std::span<const double> input) const;

  Parts parts_;
};

}  // namespace dowser
