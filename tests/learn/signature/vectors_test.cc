#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

#include "learn/signature/group_scanner.h"
#include "learn/signature/keyword_groups.h"
#include "learn/signature/learn_signatures.h"
#include "learn/signature/signature_scanner.h"

// Words are numbers: 1 owl, 2 nest, 3 egg, 9 anything else.

namespace dowser {
namespace {

using Words = std::vector<TermId>;
constexpr std::array<TermId, 3> kGroup = {1, 2, 3};

double f(double d) { return std::exp(-(d - 1) / 5); }

std::vector<SignatureVector> vectors_in(const Words& words, uint32_t window = 10) {
  const GroupScanner scanner(std::vector{kGroup}, window, 5);
  std::vector<SignatureVector> all;
  scanner.scan(words, [&](uint32_t, uint32_t, const SignatureVector& v) { all.push_back(v); });
  return all;
}

TEST(SignatureVectors, are_as_computed_by_hand) {
  // "owl x nest egg": owl before nest at 2 and before egg at 3, nest before egg at 1.
  const auto found = vectors_in({1, 9, 2, 3});
  ASSERT_EQ(found.size(), 1u);
  const SignatureVector expected = {1, 1, 1, f(2), f(3), 0, f(1), 0, 0};
  for (size_t i = 0; i < 9; ++i) EXPECT_DOUBLE_EQ(found[0][i], expected[i]) << i;
}

TEST(SignatureVectors, count_by_logarithm_and_take_the_nearest_pair) {
  // "nest owl x nest": two nests, one on each side.
  const auto found = vectors_in({2, 1, 9, 2});
  ASSERT_EQ(found.size(), 1u);
  const SignatureVector expected = {1, 1 + std::log(2.0), 0, f(2), 0, f(1), 0, 0, 0};
  for (size_t i = 0; i < 9; ++i) EXPECT_DOUBLE_EQ(found[0][i], expected[i]) << i;
}

TEST(SignatureVectors, a_head_alone_gives_none_and_the_window_ends_where_it_should) {
  EXPECT_TRUE(vectors_in({1, 9, 9}).empty());
  EXPECT_TRUE(vectors_in({2, 3, 2}).empty());
  EXPECT_EQ(vectors_in({1, 9, 2}, 2).size(), 1u);
  EXPECT_TRUE(vectors_in({1, 9, 9, 2}, 2).empty());
}

// The definition, word by word.
std::vector<SignatureVector> slow_vectors(const Words& words, size_t window) {
  std::vector<SignatureVector> all;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] != kGroup[0]) continue;
    const size_t begin = i > window ? i - window : 0, end = std::min(words.size(), i + window + 1);
    SignatureVector v = {};
    for (size_t w = 0; w < 3; ++w) {
      double n = 0;
      for (size_t j = begin; j < end; ++j) n += words[j] == kGroup[w];
      if (n > 0) v[w] = 1 + std::log(n);
    }
    if (v[1] == 0 && v[2] == 0) continue;
    size_t slot = 3;
    for (size_t a = 0; a < 3; ++a) {
      for (size_t b = 0; b < 3; ++b) {
        if (a == b) continue;
        for (size_t j = begin; j < end; ++j) {
          for (size_t k = j + 1; k < end; ++k) {
            if (words[j] == kGroup[a] && words[k] == kGroup[b]) {
              v[slot] = std::max(v[slot], f(static_cast<double>(k - j)));
            }
          }
        }
        ++slot;
      }
    }
    all.push_back(v);
  }
  return all;
}

RC_GTEST_PROP(SignatureVectors, are_those_of_the_definition, ()) {
  const auto words = *rc::gen::container<Words>(rc::gen::element<TermId>(1, 2, 3, 8, 9, 9));
  const auto window = *rc::gen::inRange(1u, 12u);
  const auto fast = vectors_in(words, window), slow = slow_vectors(words, window);
  RC_ASSERT(fast.size() == slow.size());
  for (size_t i = 0; i < fast.size(); ++i) {
    for (size_t d = 0; d < 9; ++d) RC_ASSERT(std::abs(fast[i][d] - slow[i][d]) < 1e-12);
  }
}

std::vector<PlacedVector> placed(const std::vector<SignatureVector>& vectors) {
  std::vector<PlacedVector> all;
  for (uint32_t i = 0; i < vectors.size(); ++i) all.push_back({vectors[i], i});
  return all;
}

Signature learned_of_one_pattern() {
  // Three texts, "owl nest egg", "owl nest egg" and "owl nest x egg".
  std::vector<SignatureVector> vectors;
  for (const Words& text : {Words{1, 2, 3}, Words{1, 2, 3}, Words{1, 2, 9, 3}}) {
    vectors.push_back(vectors_in(text).front());
  }
  LearnSignatureOptions options;
  options.clusters = 1;
  Signature s = learn_signatures(placed(vectors), options).at(0);
  s.words = {"owl", "nest", "egg"};
  return s;
}

TermId term(std::string_view word) { return word == "owl" ? 1 : word == "nest" ? 2 : 3; }

TEST(Signatures, angle_and_hits_are_as_computed_by_hand) {
  const Signature s = learned_of_one_pattern();
  EXPECT_EQ(s.support, 3u);
  EXPECT_EQ(s.documents, 3u);
  // By hand: unit vectors u of (1 1 1 1 f2 0 1 0 0), twice, and w of (1 1 1 1 f3 0 f2 0 0); the
  // centroid is their mean scaled to length 1, the angle that of the farthest, w.
  const SignatureVector a = {1, 1, 1, 1, f(2), 0, 1, 0, 0}, b = {1, 1, 1, 1, f(3), 0, f(2), 0, 0};
  SignatureVector centroid = {};
  const auto length = [](const SignatureVector& v) {
    double square = 0;
    for (const double x : v) square += x * x;
    return std::sqrt(square);
  };
  for (size_t i = 0; i < 9; ++i) centroid[i] = 2 * a[i] / length(a) + b[i] / length(b);
  const double scale = length(centroid);
  double cosine = 0;
  for (size_t i = 0; i < 9; ++i) {
    centroid[i] /= scale;
    EXPECT_NEAR(s.centroid[i], centroid[i], 1e-12) << i;
    cosine += centroid[i] * b[i] / length(b);
  }
  EXPECT_NEAR(s.angle, std::acos(cosine), 1e-9);
  EXPECT_GT(s.angle, 0.01);

  const SignatureScanner scanner(std::vector{s}, term);
  EXPECT_EQ(scanner.hits(Words{1, 2, 3}).size(), 1u);
  EXPECT_EQ(scanner.hits(Words{9, 1, 2, 9, 3, 9}).size(), 1u);
  EXPECT_EQ(scanner.hits(Words{1, 2, 3, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 1, 2, 3}).size(), 2u);
}

TEST(Signatures, the_reversed_order_does_not_hit) {
  const SignatureScanner scanner(std::vector{learned_of_one_pattern()}, term);
  EXPECT_TRUE(scanner.hits(Words{3, 2, 1}).empty());
  EXPECT_TRUE(scanner.hits(Words{1, 3, 2}).empty());
  EXPECT_TRUE(scanner.hits(Words{9, 9, 9}).empty());
}

TEST(Signatures, equal_vectors_have_the_least_angle_and_few_have_none) {
  const SignatureVector v = vectors_in({1, 2, 3}).front();
  const auto three = learn_signatures(placed({v, v, v}));
  ASSERT_EQ(three.size(), 1u);
  EXPECT_EQ(three[0].angle, 0.01);
  EXPECT_TRUE(learn_signatures(placed({v, v})).empty());
  EXPECT_TRUE(learn_signatures({}).empty());
}

TEST(Signatures, two_patterns_are_two_signatures) {
  std::vector<SignatureVector> vectors;
  for (int i = 0; i < 5; ++i) {
    vectors.push_back(vectors_in({1, 2}).front());
    vectors.push_back(vectors_in({3, 9, 1}).front());
  }
  EXPECT_EQ(learn_signatures(placed(vectors)).size(), 2u);
}

TEST(KeywordGroups, are_a_head_and_two_of_its_nearest_words) {
  // owl (1) with nest (2) and egg (3) beside it in all three texts.
  const std::vector<Words> training = {{1, 2, 3, 7, 1, 2, 3}, {1, 2, 3, 8, 1}, {3, 1, 2, 6, 1}};
  const TermWeight idf = [](TermId t) { return t <= 3 ? 2.0 : 0.1; };
  KeywordOptions options;
  options.heads = 1;
  options.correlates = 2;
  const auto groups = keyword_groups(training, idf, options);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].words[0], 1u);
  EXPECT_EQ(std::set<TermId>({groups[0].words[1], groups[0].words[2]}), (std::set<TermId>{2, 3}));
}

TEST(KeywordGroups, correlates_are_weighed_as_in_the_example_of_the_essay) {
  const std::vector<Words> training = {{1, 2, 1, 3, 2}};  // owl nest owl feather nest
  KeywordOptions options;
  options.heads = 1;
  options.correlates = 2;
  const TermWeight idf = [](TermId t) { return t == 1 ? 10.0 : 1.0; };
  const auto groups = keyword_groups(training, idf, options);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_NEAR(groups[0].weights[1], f(1) + f(1) + f(2) + f(4), 1e-12);
  EXPECT_NEAR(groups[0].weights[2], f(1) + f(3), 1e-12);
}

TEST(KeywordGroups, heads_of_few_documents_are_left_out) {
  const std::vector<Words> training = {{4, 4, 4, 5, 6}, {1, 2, 3}, {1, 2, 3}, {1, 3, 2}, {1, 2, 3}};
  const TermWeight idf = [](TermId) { return 1.0; };
  KeywordOptions options;
  options.heads = 1;
  for (const auto& group : keyword_groups(training, idf, options)) EXPECT_NE(group.words[0], 4u);
  options.spread = options.near_spread = 0;
  bool is_there = false;
  for (const auto& group : keyword_groups(training, idf, options)) is_there |= group.words[0] == 4;
  EXPECT_TRUE(is_there);
}

}  // namespace
}  // namespace dowser
