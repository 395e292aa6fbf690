#include "learn/naive_bayes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "learn/feature_selection.h"
#include "tests/learn/made_examples.h"

namespace dowser {
namespace {

// The formulas over dense tables, product by product in long double.
struct SlowBayes {
  std::vector<std::vector<double>> counts;  // [class][feature]
  std::vector<double> priors;
  double alpha;

  SlowBayes(const std::vector<Example>& examples, uint32_t features, uint32_t classes, double a)
      : counts(classes, std::vector<double>(features)), priors(classes), alpha(a) {
    for (const Example& e : examples) {
      priors[e.label] += 1.0 / static_cast<double>(examples.size());
      const auto d = dense(e.vector, features);
      for (size_t i = 0; i < d.size(); ++i) counts[e.label][i] += d[i];
    }
  }
  // Of features that occur in no example there are none in the vocabulary.
  bool known(size_t f) const {
    for (const auto& c : counts) {
      if (c[f] > 0) return true;
    }
    return false;
  }
  long double likelihood(size_t c, size_t f) const {
    double words = 0, vocabulary = 0;
    for (size_t i = 0; i < counts[c].size(); ++i) words += counts[c][i], vocabulary += known(i);
    return (counts[c][f] + alpha) / (words + alpha * vocabulary);
  }
  std::vector<double> posteriors(const std::vector<double>& d, double power = 1) const {
    std::vector<long double> p;
    for (size_t c = 0; c < priors.size(); ++c) {
      long double product = 1;
      for (size_t f = 0; f < d.size(); ++f) {
        if (known(f)) product *= std::pow(likelihood(c, f), static_cast<long double>(d[f]));
      }
      p.push_back(priors[c] * std::pow(product, static_cast<long double>(power)));
    }
    const long double total = std::accumulate(p.begin(), p.end(), 0.0L);
    std::vector<double> out;
    for (const long double x : p) out.push_back(static_cast<double>(x / total));
    return out;
  }
};

TEST(NaiveBayes, the_example_of_the_essay_holds) {
  const std::vector<Example> examples = {{vector_of({{10, 2}, {20, 1}}), 0},
                                         {vector_of({{20, 2}, {30, 1}}), 1}};
  const auto bayes = NaiveBayes::train(examples);
  ASSERT_TRUE(bayes);
  const std::vector<double> p = bayes->posteriors(vector_of({{10, 1}}));
  EXPECT_NEAR(p[0], 0.75, 1e-12);
  EXPECT_NEAR(p[1], 0.25, 1e-12);
  EXPECT_EQ(bayes->best(vector_of({{10, 1}})), 0u);
  EXPECT_EQ(bayes->posteriors(vector_of({{99, 5}})), (std::vector<double>{0.5, 0.5}));
}

RC_GTEST_PROP(NaiveBayes, computes_what_the_dense_reference_computes, ()) {
  const uint32_t features = 12, classes = *rc::gen::inRange(1, 5);
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const double alpha = *rc::gen::element(1.0, 0.5, 0.01);
  const auto examples = made_examples(seed, *rc::gen::inRange(1, 12), features, 6, classes);
  const double tempered = *rc::gen::element(0.0, 1.0, 4.0);
  const auto bayes =
      NaiveBayes::train(examples, {.alpha = alpha, .tempered_words = tempered, .classes = classes});
  RC_ASSERT(bayes.ok());
  const SlowBayes slow(examples, features, classes, alpha);
  Random random(seed + 1);
  const SparseVector v = made_document(random, features, 8, 0, classes);
  const auto d = dense(v, features);
  double words = 0;
  for (size_t f = 0; f < d.size(); ++f) words += slow.known(f) ? d[f] : 0;
  const double power = tempered > 0 && words > tempered ? tempered / words : 1;
  const auto expected = slow.posteriors(d, power), found = bayes->posteriors(v);
  RC_ASSERT(found.size() == classes);
  for (size_t c = 0; c < classes; ++c) RC_ASSERT(std::abs(found[c] - expected[c]) < 1e-9);
}

RC_GTEST_PROP(NaiveBayes, contributions_of_two_classes_add_up_to_the_log_odds, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const auto examples = made_examples(seed, 9, 20, 10, 2);
  const double tempered = *rc::gen::element(0.0, 3.0);
  const auto bayes = NaiveBayes::train(examples, {.tempered_words = tempered});
  Random random(seed + 1);
  const SparseVector v = made_document(random, 20, 10, 1, 2);
  const auto scores = bayes->log_scores(v);
  double total = std::log(bayes->parts().priors[1] / bayes->parts().priors[0]);
  const SparseVector shares = bayes->contributions(v, 1);
  for (const auto& e : shares.entries()) total += e.value;
  RC_ASSERT(std::abs(total - (scores[1] - scores[0])) < 1e-9);
}

TEST(NaiveBayes, contributions_among_more_classes_name_the_words_of_the_class) {
  const std::vector<Example> examples = {{vector_of({{1, 9}, {9, 5}}), 0},
                                         {vector_of({{2, 9}, {9, 5}}), 1},
                                         {vector_of({{3, 9}, {9, 5}}), 2}};
  const auto bayes = NaiveBayes::train(examples);
  const SparseVector shares = bayes->contributions(vector_of({{1, 1}, {2, 1}, {9, 1}, {77, 1}}), 0);
  EXPECT_NEAR(shares.at(1), std::log(10.0 / 1.0), 1e-12);
  EXPECT_NEAR(shares.at(2), std::log(1.0 / 5.5), 1e-12);
  EXPECT_NEAR(shares.at(9), 0, 1e-12);
  EXPECT_EQ(shares.at(77), 0);
}

TEST(NaiveBayes, a_page_of_a_million_words_has_finite_posteriors_that_sum_to_one) {
  const auto examples = made_examples(1, 40, 400, 100, 4);
  const auto bayes = NaiveBayes::train(examples);
  const SparseVector huge = examples[2].vector.scaled(10000);
  const auto p = bayes->posteriors(huge);
  EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
  EXPECT_EQ(bayes->best(huge), 2u);
  for (const double x : bayes->log_posteriors(huge)) EXPECT_TRUE(std::isfinite(x));
}

TEST(NaiveBayes, tempering_grades_what_would_be_all_or_nothing) {
  const auto examples = made_examples(2, 200, 200, 300, 2);
  const auto plain = NaiveBayes::train(examples, {.uniform_priors = true});
  const auto tempered = NaiveBayes::train(examples, {.uniform_priors = true, .tempered_words = 3});
  // From all of class 0 to all of class 1: the tempered value climbs by steps.
  Random random(3);
  double before = 0;
  for (int part = 0; part <= 10; part += 2) {
    const SparseVector v = sum(made_document(random, 200, 30 * (10 - part), 0, 2),
                               made_document(random, 200, 30 * part, 1, 2));
    const double now = tempered->posteriors(v)[1];
    EXPECT_GT(now, before + 0.04) << part;
    EXPECT_EQ(plain->best(v), tempered->best(v));
    before = now;
  }
  EXPECT_GT(plain->posteriors(examples[1].vector)[1], 1 - 1e-9);
  EXPECT_LT(tempered->posteriors(examples[1].vector)[1], 0.999);
}

TEST(NaiveBayes, a_class_without_examples_is_never_chosen) {
  const std::vector<Example> examples = {{vector_of({{1, 1}}), 0}, {vector_of({{2, 1}}), 2}};
  for (const bool uniform : {false, true}) {
    const auto bayes = NaiveBayes::train(examples, {.uniform_priors = uniform, .classes = 4});
    EXPECT_EQ(bayes->parts().priors, (std::vector<double>{0.5, 0, 0.5, 0}));
    const auto p = bayes->posteriors(vector_of({{2, 3}}));
    EXPECT_EQ(p[1], 0);
    EXPECT_EQ(p[3], 0);
    EXPECT_NEAR(p[0] + p[2], 1, 1e-12);
    EXPECT_FALSE(bayes->contributions(vector_of({{2, 3}}), 2).empty());
  }
}

TEST(NaiveBayes, uniform_priors_forget_how_many_examples_there_were) {
  const std::vector<Example> examples = {
      {vector_of({{1, 1}}), 0}, {vector_of({{1, 1}}), 0}, {vector_of({{2, 1}}), 1}};
  EXPECT_NEAR(NaiveBayes::train(examples)->posteriors({})[0], 2.0 / 3, 1e-12);
  EXPECT_NEAR(NaiveBayes::train(examples, {.uniform_priors = true})->posteriors({})[0], 0.5, 1e-12);
}

TEST(NaiveBayes, features_can_be_given_or_chosen) {
  const std::vector<Example> examples = {{vector_of({{1, 1}, {9, 7}}), 0},
                                         {vector_of({{1, 1}, {8, 1}}), 0},
                                         {vector_of({{2, 1}, {9, 1}}), 1},
                                         {vector_of({{2, 1}, {8, 1}}), 1}};
  using Features = std::vector<uint32_t>;
  EXPECT_EQ(NaiveBayes::train(examples, {.most_features = 2})->parts().features, (Features{1, 2}));
  const auto given = NaiveBayes::train(examples, {.features = {9, 1, 77, 9}});
  EXPECT_EQ(given->parts().features, (Features{1, 9, 77}));
  const auto both = NaiveBayes::train(examples, {.features = {9, 1}, .most_features = 1});
  EXPECT_EQ(both->parts().features, (Features{1}));
  EXPECT_EQ(both->posteriors(vector_of({{9, 100}})), (std::vector<double>{0.5, 0.5}));
}

TEST(NaiveBayes, what_cannot_be_learned_is_refused) {
  const std::vector<Example> none, one = {{vector_of({{1, 1}}), 3}},
                                   negative = {{vector_of({{1, -1}}), 0}};
  EXPECT_FALSE(NaiveBayes::train(none));
  EXPECT_FALSE(NaiveBayes::train(one, {.classes = 3}));
  EXPECT_FALSE(NaiveBayes::train(one, {.alpha = 0}));
  EXPECT_FALSE(NaiveBayes::train(negative));
}

TEST(NaiveBayes, survives_saving_and_parts_that_contradict_are_refused) {
  const auto bayes = NaiveBayes::train(made_examples(5, 30, 60, 20, 3), {.tempered_words = 7});
  expect_survives_saving(*bayes);
  const NaiveBayes::Parts good = bayes->parts();
  ASSERT_TRUE(NaiveBayes::from_parts(good));
  auto parts = good;
  parts.counts.pop_back();
  EXPECT_FALSE(NaiveBayes::from_parts(parts));
  parts = good;
  std::swap(parts.features[0], parts.features[1]);
  EXPECT_FALSE(NaiveBayes::from_parts(parts));
  parts = good;
  parts.priors[0] += 0.1;
  EXPECT_FALSE(NaiveBayes::from_parts(parts));
  parts = good;
  parts.counts[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(NaiveBayes::from_parts(parts));
}

TEST(LogSumExp, is_safe_at_both_ends) {
  const double never = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(log_sum_exp({}), never);
  EXPECT_EQ(log_sum_exp(std::vector<double>{never, never}), never);
  EXPECT_NEAR(log_sum_exp(std::vector<double>{-1e6, -1e6}), -1e6 + std::log(2), 1e-9);
  EXPECT_NEAR(log_sum_exp(std::vector<double>{1e6, never}), 1e6, 1e-9);
}

TEST(FeatureSelection, mutual_information_of_the_essay) {
  const std::vector<Example> examples = {{vector_of({{1, 5}, {2, 1}, {3, 1}}), 0},
                                         {vector_of({{1, 1}, {3, 1}}), 0},
                                         {vector_of({{2, 1}, {3, 9}}), 1},
                                         {vector_of({{3, 1}}), 1}};
  const auto values = features_by_mutual_information(examples);
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0].feature, 1u);
  EXPECT_NEAR(values[0].mutual_information, std::log(2), 1e-12);
  EXPECT_NEAR(values[1].mutual_information, 0, 1e-12);
  EXPECT_NEAR(values[2].mutual_information, 0, 1e-12);
}

RC_GTEST_PROP(FeatureSelection, mutual_information_is_what_the_entropies_say, ()) {
  const auto examples = made_examples(*rc::gen::arbitrary<uint64_t>(), 20, 9, 4, 3);
  const auto entropy = [](std::initializer_list<double> shares) {
    double h = 0;
    for (const double p : shares) h -= p > 0 ? p * std::log(p) : 0;
    return h;
  };
  double previous = 1e9;
  for (const FeatureValue& value : features_by_mutual_information(examples)) {
    double n[2][3] = {};
    for (const Example& e : examples) n[e.vector.at(value.feature) > 0][e.label] += 1.0 / 20;
    const double with = n[1][0] + n[1][1] + n[1][2];
    const double expected = entropy({n[0][0] + n[1][0], n[0][1] + n[1][1], n[0][2] + n[1][2]}) +
                            entropy({with, 1 - with}) -
                            entropy({n[0][0], n[0][1], n[0][2], n[1][0], n[1][1], n[1][2]});
    RC_ASSERT(std::abs(value.mutual_information - expected) < 1e-9);
    RC_ASSERT(value.mutual_information <= previous);
    previous = value.mutual_information;
  }
}

}  // namespace
}  // namespace dowser
