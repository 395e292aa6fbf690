#include "learn/final_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learn/bm25.h"
#include "learn/feature_numbers.h"
#include "learn/logistic_regression.h"
#include "learn/saved_parts.h"

// What was thought of a page at the 20th fetch is not what a crawl knows at its end. So all pages
// are judged again, by one model that has seen all of them. It answers three questions: which page
// is more relevant than which other, how probable is it that a page is relevant, and from which
// probability on should a page be called relevant?
//
// Order. A document is a vector of (1 + ln count) · rarity of length 1, with the rarity of
// example_model.cc. Logistic regression (logistic_regression.h, C = 0.5) separates the positives P
// from the negatives N:
//
// clang-format off
//   given at least 3 examples   P: the examples
//                               N: the lower 70 % of all pages by the cosine to their mean
//   given words, or fewer       P: the best 5 % of all pages (3 to 50 pages) and the examples
//                               N: the lower 70 %
//                               twice: first by how well they match the words (bm25.h), or if
//                               there are examples by the cosine to them and the words; then by
//                               the regression that this gave
// clang-format on
//
// Counter-examples are negatives, each of which weighs as much as a tenth of all others. The pages
// between P and N teach nothing: their class is unknown. More rounds, or self-training on all
// pages, made the order worse; so did smoothing over links (docs/experiments.md).
//
// Probability. Let z be the log odds that the regression gives a page; they are too extreme or too
// mild, depending on the topic. This makes topics comparable:
//
//   u = (z - mean z of N) / (mean z of P - mean z of N)     P held out, in five folds
//
// u is about 1 for a page like those that are known to be wanted, 0 for one that is not. Then
//
//   log odds of relevance = a u + c - d ln(pages / 1000)
//
// with the same a, c and d for all topics, whether given by words or by examples. They were fitted
// by logistic regression to labels of crawls that no figure is reported of. This assumes that the
// share of relevant pages among those fetched, and how far the two classes overlap, differ between
// topics no more than they did there (5 to 30 % were relevant). Example: in a crawl of 1,000 pages
// one with u = 1 has relevance .38, one with u = 2 .86, one with u = 0 .06.
//
// Why the number of pages? A crawl fetches the best pages first, so a short one is richer: its
// lower 70 % hold relevant pages, which pulls the mean of N up and u down. Without the last term
// crawls of 300 pages called too few pages relevant. To estimate the share of relevant pages of
// each crawl by EM instead (Saerens, Latinne and Decaestecker 2002) made verdicts worse: it goes
// astray where the classes overlap (docs/experiments.md).
//
// Threshold. If relevances are probabilities and pages are independent, calling the k most relevant
// pages relevant promises
//
//   F1(k) = 2 · (p_1 + … + p_k) / (k + p_1 + … + p_n)
//
// up to the usual approximation of the mean of a ratio by the ratio of means (Lewis 1995; Ye et al.
// 2012). The threshold is the p_k for which this is greatest. It is below one half: to miss a page
// is as bad as to name a wrong one. A topic given by words and one given by examples are treated
// alike here.
//
// Where the constants come from: docs/comparison.md, section on verdicts. Cost: training takes six
// regressions (eleven from words) on at most a few thousand rows, about a second; a document takes
// one look-up for each feature.

namespace dowser {
namespace {

constexpr double kBackgroundWeight = 0.1, kSeenWeight = 0.25, kLeastShare = 2e-4, kSeenPrior = 5;
constexpr double kCost = 0.5;
constexpr double kShareOfBest = 0.05, kShareOfWorst = 0.7;
constexpr size_t kMostPositives = 50, kLeastPages = 12;
constexpr size_t kFolds = 5;
constexpr double kWeightOfCounterExample = 0.1;
constexpr double kLeastSpread = 1e-3;
constexpr double kOfLikeness = 2.33, kOffset = -2.83;
// How much the offset falls when a crawl fetches e times as many pages; fitted from 300 to 1,000.
constexpr double kOfPages = 0.4;
constexpr double kUsualPages = 1000, kFewestPages = 100, kMostPages = 3000;

double offset_of(size_t pages) {
  const double known = std::clamp(static_cast<double>(pages), kFewestPages, kMostPages);
  return kOffset - kOfPages * std::log(known / kUsualPages);
}

double rarity_of(double share) { return std::log(1 + 1 / (share + kLeastShare)); }

double value_of(double count, double rarity) { return (1 + std::log(count)) * rarity; }

double logistic(double z) { return 1 / (1 + std::exp(-z)); }

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

void scale_to_one(NumberedRow& row) {
  double squares = 0;
  for (const auto& [number, value] : row) squares += value * value;
  if (squares == 0) return;
  for (auto& [number, value] : row) value /= std::sqrt(squares);
}

using Rows = std::vector<const NumberedRow*>;

class Training {
 public:
  explicit Training(const FinalModelData& data) : data_(data), numbers_(features_of(data)) {
    weigh_features();
    for (const SparseVector& v : data.pages) pages_.push_back(row_of(v));
    for (const SparseVector& v : data.examples) examples_.push_back(row_of(v));
    for (const SparseVector& v : data.counter_examples) counter_examples_.push_back(row_of(v));
  }

  Result<FinalModel::Parts> train() {
    const bool has_examples = examples_.size() >= FinalModel::kFewExamples;
    std::vector<double> scores = examples_.empty() ? matches() : cosines();
    for (int round = has_examples ? 1 : 0; round < 2; ++round) {
      if (Status s = choose(scores, has_examples); !s) return s.error();
      plane_ = regression(positives_, negatives_);
      for (size_t i = 0; i < pages_.size(); ++i) scores[i] = plane_(pages_[i]);
    }
    FinalModel::Parts parts;
    parts.features.assign(numbers_.indexes().begin(), numbers_.indexes().end());
    parts.rarity.assign(rarity_.begin(), rarity_.end());
    parts.weights.assign(plane_.weights.begin(), plane_.weights.end());
    parts.bias = plane_.bias;
    calibrate(parts);
    return parts;
  }

 private:
  static std::vector<uint32_t> features_of(const FinalModelData& data) {
    std::vector<uint32_t> features(data.words.begin(), data.words.end());
    for (const auto vectors : {data.pages, data.examples, data.counter_examples}) {
      for (const SparseVector& v : vectors) {
        for (const auto& e : v.entries()) features.push_back(e.index);
      }
    }
    return features;
  }

  void weigh_features() {
    std::vector<double> having(numbers_.size());  // number of pages that have the feature
    for (const SparseVector& v : data_.pages) {
      for (const auto& e : v.entries()) ++having[numbers_.number(e.index)];
    }
    const double seen = static_cast<double>(data_.pages.size()) + kSeenPrior;
    rarity_.resize(numbers_.size());
    for (size_t k = 0; k < numbers_.size(); ++k) {
      const double share = data_.background ? data_.background(numbers_.indexes()[k]) : 0;
      rarity_[k] = rarity_of(kBackgroundWeight * share + kSeenWeight * having[k] / seen);
    }
  }

  NumberedRow row_of(const SparseVector& counts) const {
    NumberedRow row;
    row.reserve(counts.size());
    for (const auto& e : counts.entries()) {
      const uint32_t number = numbers_.number(e.index);
      row.emplace_back(number, value_of(e.value, rarity_[number]));
    }
    scale_to_one(row);
    return row;
  }

  // How well each page matches the words.
  std::vector<double> matches() const {
    std::vector<Bm25::Word> words;
    for (const uint32_t word : data_.words) words.push_back({word, rarity_[numbers_.number(word)]});
    double total = 0;
    for (const SparseVector& counts : data_.pages) total += length_of(counts);
    const Bm25 match(std::move(words), total / static_cast<double>(data_.pages.size()));
    std::vector<double> scores;
    for (const SparseVector& counts : data_.pages) scores.push_back(match.score(counts));
    return scores;
  }

  // To the mean of examples and words.
  std::vector<double> cosines() const {
    std::vector<double> topic(numbers_.size());
    NumberedRow words;
    for (const uint32_t word : data_.words) {
      const uint32_t number = numbers_.number(word);
      words.emplace_back(number, rarity_[number]);
    }
    scale_to_one(words);
    for (const auto& [number, value] : words) topic[number] += value;
    for (const NumberedRow& row : examples_) {
      for (const auto& [number, value] : row) topic[number] += value;
    }
    std::vector<double> cosines;
    for (const NumberedRow& row : pages_) {
      double sum = 0;
      for (const auto& [number, value] : row) sum += value * topic[number];
      cosines.push_back(sum);
    }
    return cosines;
  }

  Status choose(const std::vector<double>& scores, bool has_examples) {
    std::vector<size_t> order(pages_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return scores[a] > scores[b]; });
    const auto pages = static_cast<double>(pages_.size());
    positives_.clear();
    negatives_.clear();
    for (const NumberedRow& row : examples_) positives_.push_back(&row);
    if (!has_examples) {
      const size_t best =
          std::clamp(static_cast<size_t>(kShareOfBest * pages), FinalModel::kFewExamples, kMostPositives);
      for (size_t i = 0; i < best; ++i) {
        if (scores[order[i]] > scores[order.back()]) positives_.push_back(&pages_[order[i]]);
      }
    }
    const auto worst = static_cast<size_t>(kShareOfWorst * pages);
    for (size_t i = order.size() - worst; i < order.size(); ++i) {
      negatives_.push_back(&pages_[order[i]]);
    }
    const size_t copies = std::max<size_t>(
        1, static_cast<size_t>(kWeightOfCounterExample * static_cast<double>(worst)));
    for (const NumberedRow& row : counter_examples_) {
      negatives_.insert(negatives_.end(), copies, &row);
    }
    if (positives_.size() < FinalModel::kFewExamples || negatives_.size() < FinalModel::kFewExamples) {
      return Error{"too few pages have a word of the topic"};
    }
    return {};
  }

  LogisticPlane regression(const Rows& positive, const Rows& negative) const {
    return logistic_regression(positive, negative, numbers_.size(), kCost);
  }

  // The mean score of the positives, each by a plane that was trained without it.
  double held_out_score() const {
    std::vector<double> scores;
    const size_t folds = std::min(kFolds, positives_.size());
    for (size_t fold = 0; fold < folds; ++fold) {
      Rows positive, negative;
      for (size_t i = 0; i < positives_.size(); ++i) {
        if (i % folds != fold) positive.push_back(positives_[i]);
      }
      for (size_t i = 0; i < negatives_.size(); ++i) {
        if (i % folds != fold) negative.push_back(negatives_[i]);
      }
      const LogisticPlane plane = regression(positive, negative);
      for (size_t i = fold; i < positives_.size(); i += folds) {
        scores.push_back(plane(*positives_[i]));
      }
    }
    return mean_of(scores);
  }

  void calibrate(FinalModel::Parts& parts) const {
    std::vector<double> of_negatives;
    for (const NumberedRow* row : negatives_) of_negatives.push_back(plane_(*row));
    const double low = mean_of(of_negatives);
    const double spread = std::max(kLeastSpread, held_out_score() - low);
    parts.slope = kOfLikeness / spread;
    parts.offset = offset_of(pages_.size()) - kOfLikeness * low / spread;
  }

  const FinalModelData& data_;
  const FeatureNumbers numbers_;
  std::vector<double> rarity_;  // by feature number
  std::vector<NumberedRow> pages_, examples_, counter_examples_;
  Rows positives_, negatives_;  // of the last regression
  LogisticPlane plane_;
};

}  // namespace

double threshold_of_best_f1(std::span<const double> relevances) {
  std::vector<double> sorted(relevances.begin(), relevances.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const double all = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  double sum = 0, best = 0, threshold = 0.5;
  for (size_t i = 0; i < sorted.size();) {
    const double relevance = sorted[i];
    for (; i < sorted.size() && sorted[i] == relevance; ++i) sum += relevance;
    const double f1 = 2 * sum / (static_cast<double>(i) + all);
    if (f1 <= best) continue;
    best = f1;
    threshold = relevance;
  }
  return threshold;
}

FinalModel::FinalModel(Parts parts, BackgroundShare background)
    : parts_(std::move(parts)), background_(background), weights_(parts_.features.size()) {
  double squares = 0;
  for (size_t i = 0; i < parts_.features.size(); ++i) {
    weights_.add(parts_.features[i], {parts_.rarity[i], parts_.weights[i]});
    squares += static_cast<double>(parts_.weights[i]) * static_cast<double>(parts_.weights[i]);
  }
  if (squares > 0) length_ = std::sqrt(squares);
}

Result<FinalModel> FinalModel::train(const FinalModelData& data) {
  if (data.pages.size() < kLeastPages) {
    return Error{"there are too few pages to learn from"};
  }
  Result<Parts> parts = Training(data).train();
  if (!parts) return parts.error();
  return FinalModel(std::move(*parts), data.background);
}

Result<FinalModel> FinalModel::from_parts(Parts parts, BackgroundShare background) {
  const size_t n = parts.features.size();
  if (!strictly_rising(parts.features)) return contradiction(kKind, "its features do not rise");
  if (parts.rarity.size() != n || parts.weights.size() != n) {
    return contradiction(kKind, "there is not one weight for each feature");
  }
  for (const float rarity : parts.rarity) {
    if (!(rarity > 0)) return contradiction(kKind, "a rarity is not above 0");
  }
  return FinalModel(std::move(parts), background);
}

Result<FinalModel> FinalModel::load(ByteReader& in, BackgroundShare background) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts), background);
}

void FinalModel::save(ByteWriter& out) const { save_parts(kKind, parts_, out); }

FinalModel FinalModel::with_threshold(double threshold) const {
  FinalModel model = *this;
  model.parts_.threshold = threshold;
  return model;
}

FinalModel::Weights FinalModel::weights_of(uint32_t feature) const {
  const Weights& known = weights_[feature];
  if (!known.is_unknown()) return known;
  const double share = background_ ? background_(feature) : 0;
  return {static_cast<float>(rarity_of(kBackgroundWeight * share)), 0};
}

double FinalModel::relevance(std::span<const TermCount> counts) const {
  if (counts.empty()) return 0;
  double squares = 0, sum = 0;
  for (const TermCount& t : counts) {
    const Weights weights = weights_of(t.term);
    const double value = value_of(t.count, static_cast<double>(weights.rarity));
    squares += value * value;
    sum += value * static_cast<double>(weights.weight);
  }
  const double score = sum / std::sqrt(squares) + parts_.bias;
  return logistic(parts_.slope * score + parts_.offset);
}

SparseVector FinalModel::contributions(std::span<const TermCount> counts) const {
  double squares = 0;
  std::vector<SparseVector::Entry> entries;
  for (const TermCount& t : counts) {
    const Weights weights = weights_of(t.term);
    const double value = value_of(t.count, static_cast<double>(weights.rarity));
    squares += value * value;
    if (weights.weight != 0) {
      entries.push_back({t.term, parts_.slope * value * static_cast<double>(weights.weight)});
    }
  }
  if (squares > 0) {
    for (auto& entry : entries) entry.value /= std::sqrt(squares);
  }
  return SparseVector(std::move(entries));
}

double FinalModel::direction_of(std::span<const uint32_t> features) const {
  double squares = 0, sum = 0;
  for (const uint32_t feature : features) {
    const Weights weights = weights_of(feature);
    squares += static_cast<double>(weights.rarity) * static_cast<double>(weights.rarity);
    sum += static_cast<double>(weights.rarity) * static_cast<double>(weights.weight);
  }
  return squares > 0 ? sum / std::sqrt(squares) / length_ : 0;
}

}  // namespace dowser
