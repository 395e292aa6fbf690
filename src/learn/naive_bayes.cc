#include "learn/naive_bayes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/feature_selection.h"
#include "learn/saved_parts.h"

// Multinomial naive Bayes. A class is a bag of words, and the words of a document are drawn from
// the bag of its class. What is the probability that a document was drawn from a given bag?
//
//   P(w | c) = (count of w in c + alpha) / (count of all words in c + alpha |V|)
//   ln P(c | d) = ln P(c) + sum over w of n(w, d) ln P(w | c) - ln P(d)
//
// (McCallum and Nigam 1998, eq. 6; Küçük 2009, sections 3.1.3.3 and 3.1.3.4, uses it for topics and
// for layers.) Example: class 0 was trained on "a a b", class 1 on "b b c", alpha is 1, |V| = 3.
// Then P(a | 0) = 3/6, P(a | 1) = 1/6, and the document "a" is three times as likely in class 0.
//
// alpha = 1 (Laplace) means "every word was seen once more than it was", so that a word that is new
// to a class does not rule the class out; smaller values (Lidstone) trust the counts more. Words
// that no example has are ignored. A class without examples has prior 0 and is never chosen, even
// with uniform priors.
//
// Tempering. The words of a page are not independent: they come in phrases and are repeated. But
// their evidence is summed as if they were, so a page of 300 words has a posterior of 0 or 1 to ten
// digits, rightly or wrongly. That does not matter for choosing a class, but it is useless as a
// graded relevance. With tempered_words = n the log likelihood is multiplied by min(1, n / words of
// the document): the page counts as n words of its average evidence. n = 1 is the mean log
// likelihood of a word, which orders pages well but stays near the priors (usually between 0.4 and
// 0.7); about 10 uses the whole range. With uniform priors the best class does not depend on n.
//
// Contributions. For two classes n(w, d) ln(P(w | c) / P(w | other)) is exactly what w adds to the
// log odds. For more classes a word has no exact share; the other classes are then treated as one
// bag, mixed by their priors.
//
// Cost: one pass over the entries for training, features * classes for the tables, and features *
// classes for a document.

namespace dowser {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

Status check(std::span<const Example> examples, const NaiveBayesOptions& options) {
  if (examples.empty()) return Error{"naive Bayes needs at least one example"};
  if (!(options.alpha > 0)) return Error{"alpha of naive Bayes must be above 0"};
  if (!(options.tempered_words >= 0)) {
    return Error{"tempered_words of naive Bayes must not be negative"};
  }
  if (options.classes > 0 && class_count(examples) > options.classes) {
    return Error{"an example has a label beyond the number of classes"};
  }
  for (const Example& e : examples) {
    for (const auto& entry : e.vector.entries()) {
      if (!(entry.value >= 0)) return Error{"naive Bayes needs counts: a value must not be negative"};
    }
  }
  return {};
}

FeatureNumbers chosen_features(std::span<const Example> examples,
                               const NaiveBayesOptions& options) {
  FeatureNumbers all =
      options.features.empty() ? FeatureNumbers::of(examples) : FeatureNumbers(options.features);
  if (options.most_features == 0 || all.size() <= options.most_features) return all;
  std::vector<uint32_t> best;
  for (const FeatureValue& f : features_by_mutual_information(examples)) {
    if (best.size() == options.most_features) break;
    if (all.number(f.feature) != FeatureNumbers::kNone) best.push_back(f.feature);
  }
  return FeatureNumbers(std::move(best));
}

std::vector<double> priors_of(std::span<const Example> examples, size_t classes, bool uniform) {
  std::vector<double> priors(classes);
  for (const Example& e : examples) ++priors[e.label];
  double total = 0;
  for (double& p : priors) {
    if (uniform) p = p > 0 ? 1 : 0;
    total += p;
  }
  for (double& p : priors) p /= total;
  return priors;
}

}  // namespace

double log_sum_exp(std::span<const double> values) {
  double most = kNever;
  for (const double x : values) most = std::max(most, x);
  if (most == kNever) return kNever;
  double total = 0;
  for (const double x : values) total += std::exp(x - most);
  return most + std::log(total);
}

Result<NaiveBayes> NaiveBayes::train(std::span<const Example> examples,
                                     const NaiveBayesOptions& options) {
  if (Status fine = check(examples, options); !fine) return fine.error();
  const size_t classes = options.classes > 0 ? options.classes : class_count(examples);
  const FeatureNumbers features = chosen_features(examples, options);
  Parts parts{.alpha = options.alpha,
              .tempered_words = options.tempered_words,
              .priors = priors_of(examples, classes, options.uniform_priors),
              .features = {features.indexes().begin(), features.indexes().end()},
              .counts = std::vector<double>(features.size() * classes)};
  for (const Example& e : examples) {
    for (const auto& entry : e.vector.entries()) {
      const uint32_t f = features.number(entry.index);
      if (f != FeatureNumbers::kNone) parts.counts[f * classes + e.label] += entry.value;
    }
  }
  return NaiveBayes(std::move(parts));
}

Result<NaiveBayes> NaiveBayes::from_parts(Parts parts) {
  if (parts.priors.empty()) return contradiction(kKind, "no class");
  if (!(parts.alpha > 0)) return contradiction(kKind, "alpha is not above 0");
  double total = 0;
  for (const double p : parts.priors) {
    if (!(p >= 0)) return contradiction(kKind, "a prior is negative");
    total += p;
  }
  if (!(std::abs(total - 1) < 1e-6)) return contradiction(kKind, "the priors do not sum to 1");
  if (parts.counts.size() != parts.features.size() * parts.priors.size()) {
    return contradiction(kKind, "not one count for each feature and class");
  }
  if (!strictly_rising(parts.features)) {
    return contradiction(kKind, "the features do not rise");
  }
  for (const double n : parts.counts) {
    if (!(n >= 0)) return contradiction(kKind, "a count is negative");
  }
  return NaiveBayes(std::move(parts));
}

NaiveBayes::NaiveBayes(Parts parts) : parts_(std::move(parts)), numbers_(parts_.features) {
  const size_t n = classes();
  for (const double p : parts_.priors) log_priors_.push_back(p > 0 ? std::log(p) : kNever);
  std::vector<double> log_totals(n, parts_.alpha * static_cast<double>(numbers_.size()));
  for (size_t i = 0; i < parts_.counts.size(); ++i) log_totals[i % n] += parts_.counts[i];
  for (double& x : log_totals) x = std::log(x);
  log_likelihoods_.resize(parts_.counts.size());
  for (size_t i = 0; i < parts_.counts.size(); ++i) {
    log_likelihoods_[i] = std::log(parts_.counts[i] + parts_.alpha) - log_totals[i % n];
  }
}

Result<NaiveBayes> NaiveBayes::load(ByteReader& in) {
  Result<Parts> parts = load_parts<Parts>(kKind, in);
  if (!parts) return parts.error();
  return from_parts(std::move(*parts));
}

void NaiveBayes::save(ByteWriter& out) const { save_parts(kKind, parts_, out); }

double NaiveBayes::temper(const SparseVector& v) const {
  if (parts_.tempered_words == 0) return 1;
  double words = 0;
  for (const auto& e : v.entries()) {
    if (numbers_.number(e.index) != FeatureNumbers::kNone) words += e.value;
  }
  return words > parts_.tempered_words ? parts_.tempered_words / words : 1;
}

std::vector<double> NaiveBayes::log_scores(const SparseVector& v) const {
  const size_t n = classes();
  std::vector<double> scores(n);
  for (const auto& e : v.entries()) {
    const uint32_t f = numbers_.number(e.index);
    if (f == FeatureNumbers::kNone) continue;
    const double* row = &log_likelihoods_[f * n];
    for (size_t c = 0; c < n; ++c) scores[c] += e.value * row[c];
  }
  const double factor = temper(v);
  for (size_t c = 0; c < n; ++c) scores[c] = log_priors_[c] + factor * scores[c];
  return scores;
}

std::vector<double> NaiveBayes::log_posteriors(const SparseVector& v) const {
  std::vector<double> scores = log_scores(v);
  const double total = log_sum_exp(scores);
  for (double& s : scores) s -= total;
  return scores;
}

std::vector<double> NaiveBayes::posteriors(const SparseVector& v) const {
  std::vector<double> p = log_posteriors(v);
  for (double& x : p) x = std::exp(x);
  return p;
}

SparseVector NaiveBayes::contributions(const SparseVector& v, uint32_t label) const {
  const size_t n = classes();
  const double rest = 1 - parts_.priors[label];
  if (!(rest > 0)) return {};
  const double factor = temper(v);
  std::vector<SparseVector::Entry> shares;
  for (const auto& e : v.entries()) {
    const uint32_t f = numbers_.number(e.index);
    if (f == FeatureNumbers::kNone) continue;
    double of_rest = 0;
    for (size_t c = 0; c < n; ++c) {
      if (c != label) of_rest += parts_.priors[c] / rest * std::exp(log_likelihoods_[f * n + c]);
    }
    const double odds = log_likelihoods_[f * n + label] - std::log(of_rest);
    shares.push_back({e.index, factor * e.value * odds});
  }
  return SparseVector(std::move(shares));
}

}  // namespace dowser
