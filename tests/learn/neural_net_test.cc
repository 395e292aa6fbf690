#include "learn/neural_net.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/learn/made_examples.h"

namespace dowser {
namespace {

using Output = NeuralNet::Output;
using Numbers = std::vector<double>;

TEST(NeuralNet, a_unit_is_the_tanh_of_its_bias_and_weighted_inputs) {
  NeuralNet::Parts parts{.output = Output::kTanh, .layers = {{2, {0.5, -1}, {0}}}};
  EXPECT_DOUBLE_EQ(NeuralNet::from_parts(parts)->forward(Numbers{1, 0})[0], std::tanh(0.5));
  // Two hidden units, one output, by hand.
  parts.layers = {{2, {0.5, -1, 0.25, 2}, {0.1, -0.3}}, {2, {0.7, -0.4}, {0.2}}};
  const double x = 0.8, y = -0.6;
  const double h0 = std::tanh(0.1 + 0.5 * x - 1 * y), h1 = std::tanh(-0.3 + 0.25 * x + 2 * y);
  const double sum = 0.2 + 0.7 * h0 - 0.4 * h1;
  const auto out = [&](Output kind) {
    parts.output = kind;
    return NeuralNet::from_parts(parts)->forward(Numbers{x, y})[0];
  };
  EXPECT_NEAR(out(Output::kTanh), std::tanh(sum), 1e-15);
  EXPECT_NEAR(out(Output::kLinear), sum, 1e-15);
  EXPECT_NEAR(out(Output::kLogistic), 1 / (1 + std::exp(-sum)), 1e-15);
}

RC_GTEST_PROP(NeuralNet, the_gradient_is_that_of_finite_differences, ()) {
  Random random(*rc::gen::arbitrary<uint64_t>());
  const auto output = *rc::gen::element(Output::kTanh, Output::kLinear, Output::kLogistic);
  const auto hidden = *rc::gen::element(std::vector<uint32_t>{}, std::vector<uint32_t>{3},
                                        std::vector<uint32_t>{4, 2});
  const NeuralNet net(3, hidden, 2, output, random, 1.0);
  Numbers input, target;
  for (int i = 0; i < 3; ++i) input.push_back(2 * random.uniform() - 1);
  for (int i = 0; i < 2; ++i) target.push_back(2 * random.uniform() - 1);
  const auto gradient = net.gradient(input, target);
  constexpr double kStep = 1e-5;
  const auto slope = [&](size_t layer, bool bias, size_t i) {
    double errors[2];
    for (const int side : {0, 1}) {
      NeuralNet::Parts parts = net.parts();
      (bias ? parts.layers[layer].biases : parts.layers[layer].weights)[i] += side ? kStep : -kStep;
      errors[side] = NeuralNet::from_parts(parts)->error(input, target);
    }
    return (errors[1] - errors[0]) / (2 * kStep);
  };
  RC_ASSERT(gradient.size() == hidden.size() + 1);
  for (size_t l = 0; l < gradient.size(); ++l) {
    for (size_t i = 0; i < gradient[l].weights.size(); ++i) {
      RC_ASSERT(std::abs(gradient[l].weights[i] - slope(l, false, i)) < 1e-8);
    }
    for (size_t i = 0; i < gradient[l].biases.size(); ++i) {
      RC_ASSERT(std::abs(gradient[l].biases[i] - slope(l, true, i)) < 1e-8);
    }
  }
}

TEST(NeuralNet, a_step_goes_down_the_gradient_and_tells_the_error_before_it) {
  Random random(1);
  NeuralNet net(2, std::vector<uint32_t>{3}, 1, Output::kTanh, random);
  const Numbers input = {0.5, -1}, target = {0.8};
  const NeuralNet before = net;
  EXPECT_DOUBLE_EQ(net.learn(input, target, 0.3), before.error(input, target));
  EXPECT_LT(net.error(input, target), before.error(input, target));
  const auto gradient = before.gradient(input, target);
  EXPECT_DOUBLE_EQ(net.parts().layers[0].weights[1],
                   before.parts().layers[0].weights[1] - 0.3 * gradient[0].weights[1]);
}

TEST(NeuralNet, a_perceptron_learns_or_and_a_hidden_layer_learns_xor) {
  const std::vector<Numbers> inputs = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  const auto right = [&](std::span<const uint32_t> hidden, const Numbers& targets) {
    Random random(7);
    NeuralNet net(2, hidden, 1, Output::kTanh, random, 0.5);
    for (int i = 0; i < 4000; ++i) net.learn(inputs[i % 4], Numbers{targets[i % 4]}, 0.1);
    int n = 0;
    for (size_t i = 0; i < 4; ++i) n += net.forward(inputs[i])[0] * targets[i] > 0;
    return n;
  };
  const Numbers either = {-1, 1, 1, 1}, exactly_one = {-1, 1, 1, -1};
  EXPECT_EQ(right({}, either), 4);
  EXPECT_LT(right({}, exactly_one), 4);
  EXPECT_EQ(right(std::vector<uint32_t>{4}, exactly_one), 4);
}

TEST(NeuralNet, noise_changes_about_the_fraction_asked_for) {
  Random random(1);
  const NeuralNet net(50, std::vector<uint32_t>{20}, 1, Output::kTanh, random);
  const auto changed = [&](double fraction) {
    NeuralNet noisy = net;
    noisy.add_noise(random, fraction, 0.2);
    int n = 0;
    for (size_t l = 0; l < 2; ++l) {
      for (size_t i = 0; i < net.parts().layers[l].weights.size(); ++i) {
        const double change = noisy.parts().layers[l].weights[i] - net.parts().layers[l].weights[i];
        n += change != 0;
        EXPECT_LE(std::abs(change), 0.2 + 1e-12);
      }
    }
    return n;
  };
  EXPECT_EQ(changed(0), 0);
  EXPECT_NEAR(changed(0.25), 255, 60);
  EXPECT_EQ(changed(1), 1020);
}

TEST(NeuralNet, a_new_input_changes_nothing_until_it_speaks) {
  Random random(1);
  for (const auto& hidden : {std::vector<uint32_t>{}, std::vector<uint32_t>{3}}) {
    NeuralNet net(2, hidden, 1, Output::kTanh, random);
    const double before = net.forward(Numbers{0.3, 0.9})[0];
    net.add_input(random);
    ASSERT_EQ(net.inputs(), 3u);
    EXPECT_DOUBLE_EQ(net.forward(Numbers{0.3, 0.9, 0})[0], before);
    EXPECT_NE(net.forward(Numbers{0.3, 0.9, 1})[0], before);
    for (const double w : net.parts().layers[0].weights) {
      EXPECT_LE(std::abs(w), NeuralNet::kSmallWeight);
    }
    EXPECT_TRUE(NeuralNet::from_parts(net.parts()));
  }
}

TEST(NeuralNet, may_begin_without_inputs) {
  Random random(1);
  NeuralNet net(0, std::vector<uint32_t>{2}, 1, Output::kLinear, random);
  EXPECT_EQ(net.forward({})[0], 0);
  for (int i = 0; i < 100; ++i) net.learn({}, Numbers{1}, 0.5);
  EXPECT_NEAR(net.forward({})[0], 1, 1e-6);
}

TEST(NeuralNet, the_same_random_numbers_make_the_same_net) {
  Random a(5), b(5);
  EXPECT_TRUE(NeuralNet(4, {}, 2, Output::kTanh, a).parts() ==
              NeuralNet(4, {}, 2, Output::kTanh, b).parts());
}

TEST(NeuralNet, survives_saving_and_parts_that_contradict_are_refused) {
  Random random(1);
  const NeuralNet net(4, std::vector<uint32_t>{3, 2}, 1, Output::kLogistic, random);
  expect_survives_saving(net);
  auto parts = net.parts();
  parts.layers.erase(parts.layers.begin() + 1);
  EXPECT_FALSE(NeuralNet::from_parts(parts));
  parts = net.parts();
  parts.output = static_cast<Output>(3);
  EXPECT_FALSE(NeuralNet::from_parts(parts));
  parts = net.parts();
  parts.layers[0].weights.pop_back();
  EXPECT_FALSE(NeuralNet::from_parts(parts));
  EXPECT_FALSE(NeuralNet::from_parts({}));
}

}  // namespace
}  // namespace dowser
