#include "learn/example_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "learn/saved_parts.h"

// Given a few examples of what is wanted and many documents that are mostly something else, how
// similar to the examples is a new document? Two models are combined, because they make different
// errors.
//
// A document is a vector of (1 + ln count) · rarity, scaled to length 1. Rarity is
// ln(1 + 1/(f + 0.0002)), where f is a tenth of the share of background documents that have the
// feature plus a quarter of the share of the other documents seen so far. So a word that is rare in
// general but common in this crawl, like the name of a site, loses weight as pages are fetched.
//
// clang-format off
//   mean       z = x · (e - o/2)     e, o: means of examples and of others, of length 1 (Rocchio)
//   logistic   z = w · x + b         logistic regression of examples against others, both classes
//                                    weighing the same; AdaGrad 0.5, L2 0.001, 10 epochs
// clang-format on
//
// The scores of different models and topics are not comparable, so each is scaled: 0 is the mean of
// the others, 1 the mean of examples that the model has not seen (each left out in turn for the
// mean, two halves for the regression). The similarity u is the mean of both, and
//
//   relevance = 1 / (1 + exp(-6 (u - 0.9)))
//
// is strict on purpose: a document must be almost as similar to the examples as they are to each
// other. A milder curve saturates, and a crawl must distinguish good pages from very good ones. The
// constants come from an experiment with 36 topics on five webs, except for the weight of the
// background, which has been reduced (docs/experiments.md).
//
// Without other documents only the cosine to the examples is used, and others are assumed to score
// 0.15 of what examples do.
//
// The direction of the topic, for the words of links, is half e and half w / |w|.
//
// Cost: training takes 10 passes over all vectors, about 5 ms for 200 of them; a document takes one
// look-up for each feature.

namespace dowser {
namespace {

constexpr double kBackgroundWeight = 0.1, kOthersSeenWeight = 0.25;
constexpr double kLeastShare = 2e-4;
constexpr double kOthersPrior = 5;  // as if this many more had been seen without the feature
constexpr double kOthersWeight = 0.5;
constexpr double kOthersOfExamples = 0.15;
constexpr double kRate = 0.5, kDecay = 1e-3;
constexpr int kEpochs = 10;
constexpr double kLeastSpread = 1e-3;

double rarity_of(double share) { return std::log(1 + 1 / (share + kLeastShare)); }

double logistic(double z) { return 1 / (1 + std::exp(-z)); }

// A document as feature numbers and weights, scaled to length 1.
using Row = std::vector<std::pair<uint32_t, double>>;

double dot(const Row& row, std::span<const double> weights) {
  double sum = 0;
  for (const auto& [number, value] : row) sum += value * weights[number];
  return sum;
}

void scale_to_one(std::vector<double>& v) {
  double squares = 0;
  for (const double value : v) squares += value * value;
  if (squares == 0) return;
  for (double& value : v) value /= std::sqrt(squares);
}

std::vector<double> sum_of(std::span<const Row> rows, size_t features) {
  std::vector<double> sum(features);
  for (const Row& row : rows) {
    for (const auto& [number, value] : row) sum[number] += value;
  }
  return sum;
}

// Logistic regression by AdaGrad on the examples with the indexes `chosen`.
ExampleModel::Direction regression(std::span<const Row> examples, std::span<const size_t> chosen,
                                   std::span<const Row> others, size_t features) {
  struct Sample {
    const Row* row;
    double label, weight;
  };
  const double all = static_cast<double>(chosen.size() + others.size());
  std::vector<Sample> samples;
  for (const size_t i : chosen) {
    samples.push_back({&examples[i], 1, all / (2 * static_cast<double>(chosen.size()))});
  }
  for (const Row& row : others) {
    samples.push_back({&row, 0, all / (2 * static_cast<double>(others.size()))});
  }
  ExampleModel::Direction model;
  model.weights.resize(features);
  std::vector<double> squares(features, 1e-8);
  double bias_squares = 1e-8;
  Random random(1);
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    for (size_t i = samples.size(); i > 1; --i) std::swap(samples[i - 1], samples[random.below(i)]);
    for (const Sample& sample : samples) {
      const double error =
          sample.weight * (logistic(dot(*sample.row, model.weights) + model.bias) - sample.label);
      for (const auto& [number, value] : *sample.row) {
        const double slope = error * value + kDecay * model.weights[number];
        squares[number] += slope * slope;
        model.weights[number] -= kRate * slope / std::sqrt(squares[number]);
      }
      bias_squares += error * error;
      model.bias -= kRate * error / std::sqrt(bias_squares);
    }
  }
  return model;
}

double score(const ExampleModel::Direction& direction, const Row& row) {
  return dot(row, direction.weights) + direction.bias;
}

double mean_score(const ExampleModel::Direction& direction, std::span<const Row> rows) {
  double sum = 0;
  for (const Row& row : rows) sum += score(direction, row);
  return rows.empty() ? 0 : sum / static_cast<double>(rows.size());
}

// x · (e - o/2); for the examples themselves it is computed without them.
ExampleModel::Direction mean_direction(std::span<const Row> examples, std::span<const Row> others,
                                       std::vector<double>& mean_of_examples, size_t features) {
  const std::vector<double> sum = sum_of(examples, features);
  mean_of_examples = sum;
  scale_to_one(mean_of_examples);
  std::vector<double> other = sum_of(others, features);
  scale_to_one(other);
  ExampleModel::Direction direction;
  direction.weights.resize(features);
  for (size_t k = 0; k < features; ++k) {
    direction.weights[k] = mean_of_examples[k] - kOthersWeight * other[k];
  }
  direction.of_others = mean_score(direction, others);
  direction.of_examples = 0;
  for (const Row& row : examples) {
    std::vector<double> rest = sum;
    if (examples.size() > 1) {
      for (const auto& [number, value] : row) rest[number] -= value;
    }
    scale_to_one(rest);
    direction.of_examples +=
        (dot(row, rest) - kOthersWeight * dot(row, other)) / static_cast<double>(examples.size());
  }
  // A single example cannot be held out. Pages to come will be less similar to it than it is
  // itself.
  if (examples.size() == 1) direction.of_examples *= 0.5;
  return direction;
}

ExampleModel::Direction logistic_direction(std::span<const Row> examples,
                                           std::span<const Row> others, size_t features) {
  std::vector<size_t> all(examples.size()), even, odd;
  std::iota(all.begin(), all.end(), size_t{0});
  for (const size_t i : all) (i % 2 == 0 ? even : odd).push_back(i);
  ExampleModel::Direction direction = regression(examples, all, others, features);
  direction.of_others = mean_score(direction, others);
  if (odd.empty()) {
    direction.of_examples =
        direction.of_others + 0.5 * (score(direction, examples[0]) - direction.of_others);
    return direction;
  }
  const ExampleModel::Direction from_even = regression(examples, even, others, features);
  const ExampleModel::Direction from_odd = regression(examples, odd, others, features);
  direction.of_examples = 0;
  for (const size_t i : all) {
    direction.of_examples += score(i % 2 == 0 ? from_odd : from_even, examples[i]) /
                             static_cast<double>(examples.size());
  }
  return direction;
}

double scaled(const ExampleModel::Direction& direction, double z) {
  return (z - direction.of_others) /
         std::max(kLeastSpread, direction.of_examples - direction.of_others);
}

}  // namespace

ExampleModel::ExampleModel(Parts parts, BackgroundShare background)
    : parts_(std::move(parts)),
      background_(background),
      numbers_(parts_.features),
      weights_(parts_.features.size()),
      link_words_(parts_.features.size()) {
  for (const double topic : parts_.topic) {
    topic_step_ = std::max(topic_step_, std::abs(topic) / INT16_MAX);
  }
  for (size_t i = 0; i < parts_.features.size(); ++i) {
    weights_.add(parts_.features[i],
                 {static_cast<float>(parts_.rarity[i]), static_cast<float>(parts_.mean.weights[i]),
                  static_cast<float>(parts_.logistic.weights[i])});
    const double topic = std::round(parts_.topic[i] / topic_step_);
    const bool is_number = std::abs(topic) <= INT16_MAX;  // a loaded model may hold anything
    link_words_.add(parts_.features[i], {rarity_in_steps(parts_.rarity[i]),
                                         is_number ? static_cast<int16_t>(topic) : int16_t{0}});
  }
}

uint16_t ExampleModel::rarity_in_steps(double rarity) {
  static const double steps = UINT16_MAX / rarity_of(0);
  const double rounded = std::round(rarity * steps);
  return rounded >= 1 ? static_cast<uint16_t>(std::min(rounded, double{UINT16_MAX})) : 1;
}

Result<ExampleModel> ExampleModel::train(std::span<const SparseVector> examples,
                                         std::span<const SparseVector> others,
                                         const ExampleModelOptions& options) {
  if (examples.empty()) return Error{"there are no examples to learn from"};
  std::vector<uint32_t> features;
  for (const auto vectors : {examples, others}) {
    for (const SparseVector& v : vectors) {
      for (const auto& e : v.entries()) features.push_back(e.index);
    }
  }
  const FeatureNumbers numbers(std::move(features));
  Parts parts;
  parts.features.assign(numbers.indexes().begin(), numbers.indexes().end());
  parts.sharpness = options.sharpness;
  parts.middle = options.middle;

  std::vector<double> having(numbers.size());  // number of other documents that have the feature
  for (const SparseVector& v : others) {
    for (const auto& e : v.entries()) ++having[numbers.number(e.index)];
  }
  parts.rarity.resize(numbers.size());
  const double seen = static_cast<double>(others.size()) + kOthersPrior;
  for (size_t k = 0; k < numbers.size(); ++k) {
    const double share = options.background ? options.background(parts.features[k]) : 0;
    parts.rarity[k] = rarity_of(kBackgroundWeight * share + kOthersSeenWeight * having[k] / seen);
  }
  const auto row_of = [&](const SparseVector& v) {
    Row row;
    double squares = 0;
    for (const auto& e : v.entries()) {
      const uint32_t number = numbers.number(e.index);
      row.emplace_back(number, (1 + std::log(e.value)) * parts.rarity[number]);
      squares += row.back().second * row.back().second;
    }
    for (auto& [number, value] : row) value /= std::sqrt(squares);
    return row;
  };
  std::vector<Row> example_rows, other_rows;
  for (const SparseVector& v : examples) example_rows.push_back(row_of(v));
  for (const SparseVector& v : others) other_rows.push_back(row_of(v));

  parts.mean = mean_direction(example_rows, other_rows, parts.topic, numbers.size());
  if (others.empty()) {
    parts.mean.of_others = kOthersOfExamples * parts.mean.of_examples;
    parts.logistic = parts.mean;
  } else {
    parts.logistic = logistic_direction(example_rows, other_rows, numbers.size());
    std::vector<double> unit = parts.logistic.weights;
    scale_to_one(unit);
    for (size_t k = 0; k < unit.size(); ++k) parts.topic[k] = 0.5 * parts.topic[k] + 0.5 * unit[k];
  }
  return ExampleModel(std::move(parts), options.background);
}

Result<ExampleModel> ExampleModel::from_parts(Parts parts, BackgroundShare background) {
  const size_t n = parts.features.size();
  if (!strictly_rising(parts.features)) return contradiction(kKind, "its features do not rise");
  if (parts.rarity.size() != n || parts.topic.size() != n || parts.mean.weights.size() != n ||
      parts.logistic.weights.size() != n) {
    return contradiction(kKind, "there is not one weight for each feature");
  }
  return ExampleModel(std::move(parts), background);
}

Result<ExampleModel> ExampleModel::load(ByteReader& in, BackgroundShare background) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts), background);
}

void ExampleModel::save(ByteWriter& out) const { save_parts(kKind, parts_, out); }

ExampleModel::Weights ExampleModel::weights_of(uint32_t feature) const {
  const Weights& known = weights_[feature];
  return known.is_unknown() ? Weights{static_cast<float>(rarity_of_unknown(feature))} : known;
}

ExampleModel::LinkWord ExampleModel::link_word(uint32_t feature) const {
  const LinkWord& known = link_words_[feature];
  return known.is_unknown() ? LinkWord{rarity_in_steps(rarity_of_unknown(feature))} : known;
}

double ExampleModel::rarity_of_unknown(uint32_t feature) const {
  static const double rarest = rarity_of(0);
  const double share = background_ ? background_(feature) : 0;
  return share == 0 ? rarest : rarity_of(kBackgroundWeight * share);
}

template <class Counts, class FeatureOf, class CountOf>
double ExampleModel::likeness_of(const Counts& counts, FeatureOf feature_of,
                                 CountOf count_of) const {
  double squares = 0, mean = 0, logistic = 0;
  for (const auto& e : counts) {
    const Weights weights = weights_of(feature_of(e));
    const double count = count_of(e);
    const double value =
        (count == 1 ? 1 : 1 + std::log(count)) * static_cast<double>(weights.rarity);
    squares += value * value;
    mean += value * static_cast<double>(weights.mean);
    logistic += value * static_cast<double>(weights.logistic);
  }
  const double length = squares > 0 ? std::sqrt(squares) : 1;
  return 0.5 * scaled(parts_.mean, mean / length + parts_.mean.bias) +
         0.5 * scaled(parts_.logistic, logistic / length + parts_.logistic.bias);
}

double ExampleModel::likeness(const SparseVector& counts) const {
  return likeness_of(
      counts.entries(), [](const SparseVector::Entry& e) { return e.index; },
      [](const SparseVector::Entry& e) { return e.value; });
}

double ExampleModel::relevance(const SparseVector& counts) const {
  if (counts.empty()) return 0;
  return logistic(parts_.sharpness * (likeness(counts) - parts_.middle));
}

double ExampleModel::relevance(std::span<const TermCount> counts) const {
  if (counts.empty()) return 0;
  const double u = likeness_of(
      counts, [](const TermCount& t) { return t.term; },
      [](const TermCount& t) { return static_cast<double>(t.count); });
  return logistic(parts_.sharpness * (u - parts_.middle));
}

SparseVector ExampleModel::contributions(const SparseVector& counts) const {
  double squares = 0;
  for (const auto& e : counts.entries()) {
    const double value = (1 + std::log(e.value)) * static_cast<double>(weights_of(e.index).rarity);
    squares += value * value;
  }
  const auto share = [](const Direction& direction, uint32_t number) {
    return 0.5 * direction.weights[number] /
           std::max(kLeastSpread, direction.of_examples - direction.of_others);
  };
  std::vector<SparseVector::Entry> entries;
  for (const auto& e : counts.entries()) {
    const uint32_t number = numbers_.number(e.index);
    if (number == FeatureNumbers::kNone) continue;
    const double value = (1 + std::log(e.value)) * parts_.rarity[number] / std::sqrt(squares);
    entries.push_back(
        {e.index, value * (share(parts_.mean, number) + share(parts_.logistic, number))});
  }
  return SparseVector(std::move(entries));
}

double ExampleModel::direction_of(std::span<const uint32_t> features) const {
  int64_t sum = 0, squares = 0;
  for (const uint32_t feature : features) link_words_.expect(feature);
  for (const uint32_t feature : features) {
    const LinkWord word = link_word(feature);
    squares += int64_t{word.rarity} * word.rarity;
    sum += int64_t{word.rarity} * word.topic;
  }
  if (squares == 0) return 0;
  return topic_step_ * static_cast<double>(sum) / std::sqrt(static_cast<double>(squares));
}

}  // namespace dowser
