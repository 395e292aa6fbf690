#include "text/weighting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace dowser {
namespace {

using Words = std::vector<std::string>;

// Four documents; df: a 4, b 2, c 1, d 1.
Vocabulary small_vocabulary() {
  Vocabulary vocabulary;
  vocabulary.add_document(Words{"a", "b"});
  vocabulary.add_document(Words{"a", "b", "c"});
  vocabulary.add_document(Words{"a", "d"});
  vocabulary.add_document(Words{"a"});
  return vocabulary;
}

// n: a 1, b 2, c 3; two words that nobody knows: 8 words.
const Words kDocument = {"c", "b", "x", "a", "c", "b", "y", "c"};

TEST(Weighting, every_weighting_gives_the_numbers_of_its_formula) {
  // Logarithms as constants, not computed: ln 2 and ln 3.
  constexpr double kLn2 = 0.693147180559945309417, kLn3 = 1.098612288668109691395;
  constexpr double kLn5 = 1.609437912434100374600;
  // h1: 1 * (0 + 1), 2 * (1 + 1), 3 * (2 + 1), length sqrt(1 + 16 + 81).
  const double h1 = std::sqrt(98.0);
  // log-tf-idf: 1 * ln 2, (1 + ln 2) ln 3, (1 + ln 3) ln 5.
  const double w[] = {kLn2, (1 + kLn2) * kLn3, (1 + kLn3) * kLn5};
  const double length = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  const struct {
    std::string_view name;
    double a, b, c;
  } rows[] = {
      {"tf", 1, 2, 3},
      {"log-tf", 1, 1 + kLn2, 1 + kLn3},
      {"h1", 1 / h1, 4 / h1, 9 / h1},
      {"k2-4", 0.125, 0.25 * (1 + kLn2), 0.375 * (1 + 2 * kLn2)},
      {"i2", 0, 0.25 * kLn2, 0.375 * 2 * kLn2},
      {"log-tf-idf", w[0] / length, w[1] / length, w[2] / length},
  };
  const Vocabulary vocabulary = small_vocabulary();
  for (const auto& [name, a, b, c] : rows) {
    const auto weighting = weighting_named(name);
    ASSERT_TRUE(weighting.ok()) << name;
    const SparseVector v = weigh(vocabulary.count(kDocument), vocabulary, *weighting);
    EXPECT_NEAR(v.at(*vocabulary.find("a")), a, 1e-12) << name;
    EXPECT_NEAR(v.at(*vocabulary.find("b")), b, 1e-12) << name;
    EXPECT_NEAR(v.at(*vocabulary.find("c")), c, 1e-12) << name;
    EXPECT_EQ(v.at(*vocabulary.find("d")), 0) << name;
  }
  EXPECT_EQ(all_weightings().size(), std::size(rows));
}

TEST(Weighting, rarer_terms_weigh_more) {
  const Vocabulary vocabulary = small_vocabulary();
  for (const std::string_view name : {"h1", "k2-4", "i2", "log-tf-idf"}) {
    const SparseVector v =
        weigh(vocabulary.count(Words{"a", "b", "c"}), vocabulary, *weighting_named(name));
    EXPECT_LT(v.at(0), v.at(1)) << name;
    EXPECT_LT(v.at(1), v.at(2)) << name;
  }
}

TEST(Weighting, terms_seen_in_no_document_have_no_place_in_idf_weightings) {
  Vocabulary vocabulary = small_vocabulary();
  const uint32_t unseen = vocabulary.add("unseen");
  for (const Weighting weighting : all_weightings()) {
    const SparseVector v =
        weigh(vocabulary.count(Words{"unseen", "unknown"}), vocabulary, weighting);
    const bool plain = weighting == Weighting::kTf || weighting == Weighting::kLogTf;
    EXPECT_EQ(v.at(unseen), plain ? 1 : 0) << name_of(weighting);
    EXPECT_EQ(v.size(), plain ? 1u : 0u) << name_of(weighting);
  }
}

TEST(Weighting, nothing_weighs_nothing) {
  for (const Weighting weighting : all_weightings()) {
    EXPECT_TRUE(weigh({}, Vocabulary(), weighting).empty());
  }
}

TEST(Weighting, names_round_trip_and_wrong_ones_are_answered_with_the_nearest) {
  for (const Weighting weighting : all_weightings()) {
    const auto again = weighting_named(name_of(weighting));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(*again, weighting);
  }
  const auto wrong = weighting_named("log-tfidf");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message.find("log-tf-idf"), std::string::npos);
}

}  // namespace
}  // namespace dowser
