#include "learn/sigmoid.h"

#include <algorithm>
#include <cmath>
#include <vector>

// A support vector machine says on which side of the border a document lies and how far from it,
// but not how probable that is. Platt (1999) fits P(positive | f) = 1 / (1 + exp(a f + b)) to
// decision values of documents whose class is known, by maximum likelihood. For decisions -2, -1,
// 1, 2, of which the last two are positive, a is -0.67, b is 0, and P(2) = 0.79.
//
// The targets are not 0 and 1 but (Platt's eq. 6 and 7)
//
//   t+ = (N+ + 1) / (N+ + 2),   t- = 1 / (N- + 2)
//
// as if one more positive and one more negative had been seen: otherwise separable values would
// drive a to minus infinity, and few examples would give probabilities of 0 and 1.
//
// The method is Newton's with a backtracking line search, as in Lin, Lin and Weng (2007, "A note on
// Platt's probabilistic outputs"). From them come two safeguards: neither the loss nor p (1 - p) is
// computed from exp() of a large number or as 1 - p for p near 1, and a small ridge keeps the
// Hessian positive definite. Their constants are 100 steps, ridge 1e-12, gradient 1e-5 and 1e-10 as
// the smallest step. The loss is convex, so the result is the minimum. Ours is that decisions are
// first scaled so that the largest is 1: otherwise very small ones would meet the bound on the
// gradient, which is proportional to them, at once.
//
// The decision values must be of documents that the machine was not trained on (one_vs_rest.h).

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

Sigmoid fit_sigmoid(std::span<const double> given, std::span<const uint8_t> positive) {
  double largest = 0;
  for (const double f : given) largest = std::max(largest, std::abs(f));
  const double scale = largest > 0 ? largest : 1;
  std::vector<double> decisions;
  for (const double f : given) decisions.push_back(f / scale);
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
  return {s.a / scale, s.b};
}

}  // namespace dowser
