#include "learn/sigmoid.h"

#include <algorithm>
#include <cmath>

// A support vector machine says on which side a document lies and how far from the border, not how
// probable that is. Platt (1999) fits P(positive | f) = 1 / (1 + exp(a f + b)) to decision values
// of documents whose side is known, by maximum likelihood. Decisions -2, -1, 1, 2, the last two
// positive: a is -0.67, b is 0, and P(2) = 0.79.
//
// The targets are not 0 and 1 but (Platt's eq. 6 and 7)
//
//   t+ = (N+ + 1) / (N+ + 2),   t- = 1 / (N- + 2)
//
// as if a positive and a negative more had been seen on each side: otherwise separable values would
// drive a to minus infinity, and few examples would give probabilities of 0 and 1.
//
// Newton's method with a backtracking line search, as Lin, Lin and Weng (2007, "A note on Platt's
// probabilistic outputs") put it. Two things are theirs: neither the loss nor p (1 - p) is ever
// taken from exp() of a large number or as 1 - p of a p near 1, and a small ridge keeps the Hessian
// positive definite. Their constants: 100 steps, ridge 1e-12, gradient 1e-5; 1e-10 as the smallest
// step. The loss is convex, so what is found is the minimum.
//
// The decision values must be of documents the machine was not trained on (one_vs_rest.h).

namespace dowser {
namespace {

constexpr int kMostSteps = 100;
constexpr double kSmallestStep = 1e-10;
constexpr double kRidge = 1e-12;
constexpr double kSmallGradient = 1e-5;
constexpr double kEnoughDescent = 1e-4;

struct Targets {
  double positive, negative;  // t+ and t-
  double prior_b;             // with a = 0: as many positives as there are

  explicit Targets(std::span<const uint8_t> flags) {
    double n = 0;
    for (const uint8_t f : flags) n += f != 0;
    const double rest = static_cast<double>(flags.size()) - n;
    positive = (n + 1) / (n + 2);
    negative = 1 / (rest + 2);
    prior_b = std::log((rest + 1) / (n + 1));
  }
  double of(uint8_t flag) const { return flag != 0 ? positive : negative; }
};

// ln(1 + exp(x)).
double log_1p_exp(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

}  // namespace

double Sigmoid::operator()(double f) const {
  const double x = a * f + b;
  return x >= 0 ? std::exp(-x) / (1 + std::exp(-x)) : 1 / (1 + std::exp(x));
}

double sigmoid_loss(const Sigmoid& sigmoid, std::span<const double> decisions,
                    std::span<const uint8_t> positive) {
  const Targets targets(positive);
  double loss = 0;
  for (size_t i = 0; i < decisions.size(); ++i) {
    // -t ln p - (1 - t) ln(1 - p) with ln p = -ln(1 + e^x) and ln(1 - p) = x - ln(1 + e^x)
    const double x = sigmoid.a * decisions[i] + sigmoid.b;
    loss += log_1p_exp(x) - (1 - targets.of(positive[i])) * x;
  }
  return loss;
}

Sigmoid fit_sigmoid(std::span<const double> decisions, std::span<const uint8_t> positive) {
  const Targets targets(positive);
  Sigmoid s{0, targets.prior_b};
  double loss = sigmoid_loss(s, decisions, positive);
  for (int step = 0; step < kMostSteps; ++step) {
    double haa = kRidge, hbb = kRidge, hab = 0, ga = 0, gb = 0;
    for (size_t i = 0; i < decisions.size(); ++i) {
      const double f = decisions[i];
      const double e = std::exp(-std::abs(s.a * f + s.b));
      const double curve = e / ((1 + e) * (1 + e));  // p (1 - p)
      const double slope = targets.of(positive[i]) - s(f);
      haa += f * f * curve, hab += f * curve, hbb += curve;
      ga += f * slope, gb += slope;
    }
    if (std::abs(ga) < kSmallGradient && std::abs(gb) < kSmallGradient) break;
    const double determinant = haa * hbb - hab * hab;
    const double da = -(hbb * ga - hab * gb) / determinant;
    const double db = -(haa * gb - hab * ga) / determinant;
    const double descent = ga * da + gb * db;
    double length = 1;
    for (; length >= kSmallestStep; length /= 2) {
      const Sigmoid next{s.a + length * da, s.b + length * db};
      const double next_loss = sigmoid_loss(next, decisions, positive);
      if (next_loss < loss + kEnoughDescent * length * descent) {
        s = next, loss = next_loss;
        break;
      }
    }
    if (length < kSmallestStep) break;
  }
  return s;
}

}  // namespace dowser
