#include "learn/lsi.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/learn/made_examples.h"

namespace dowser {
namespace {

using Terms = std::vector<TermCount>;

std::vector<Terms> made_pages(uint64_t seed, size_t count) {
  std::vector<Terms> pages;
  for (const Example& e : made_examples(seed, count, 300, 60, 4)) {
    Terms& page = pages.emplace_back();
    for (const auto& entry : e.vector.entries()) {
      page.push_back({entry.index, static_cast<uint32_t>(entry.value)});
    }
  }
  return pages;
}

std::vector<LsiSpace::Document> views(const std::vector<Terms>& pages) {
  return {pages.begin(), pages.end()};
}

TEST(LsiSpace, weights_are_term_frequency_times_rarity_at_length_1) {
  // N = 3; df of term 1 is 1, of term 2 it is 2, of term 3 it is 3.
  const std::vector<Terms> pages = {{{1, 2}, {2, 1}, {3, 5}}, {{2, 4}, {3, 1}}, {{3, 1}}};
  const auto space = LsiSpace::train(views(pages));
  ASSERT_TRUE(space) << space.error().message;
  const double a = 2 * (std::log2(3.0) + 1), b = 1 * (std::log2(1.5) + 1), c = 5;
  const double length = std::sqrt(a * a + b * b + c * c);
  const SparseVector d = space->weighted(pages[0]);
  EXPECT_NEAR(d.at(0), a / length, 1e-15);
  EXPECT_NEAR(d.at(1), b / length, 1e-15);
  EXPECT_NEAR(d.at(2), c / length, 1e-15);
  // N and df stay as they are, and what is unknown is left out before the scaling.
  const SparseVector other = space->weighted(Terms{{2, 7}, {99, 50}});
  EXPECT_EQ(other.size(), 1u);
  EXPECT_NEAR(other.norm(), 1, 1e-15);
}

TEST(LsiSpace, a_training_page_folds_onto_its_place_in_the_decomposition) {
  const std::vector<Terms> pages = made_pages(1, 80);
  for (const uint32_t dense_up_to : {0u, 256u}) {
    const auto space =
        LsiSpace::train(views(pages), {.dimensions = 12, .dense_up_to = dense_up_to});
    ASSERT_TRUE(space) << space.error().message;
    EXPECT_EQ(space->dimensions(), 12u);
    std::vector<SparseVector> columns;
    for (const Terms& page : pages) columns.push_back(space->weighted(page));
    const auto svd = truncated_svd(columns, static_cast<uint32_t>(space->parts().terms.size()),
                                   {.dimensions = 12, .dense_up_to = dense_up_to});
    for (size_t i = 0; i < pages.size(); ++i) {
      const std::vector<double> folded = space->fold(pages[i]);
      for (size_t j = 0; j < 12; ++j) {
        EXPECT_NEAR(folded[j], svd->values[j] * svd->right[i][j], 1e-9);
      }
    }
  }
}

TEST(LsiSpace, pages_without_a_common_word_meet_through_a_third) {
  const std::vector<Terms> pages = {
      {{1, 1}, {5, 3}}, {{2, 1}, {5, 3}}, {{3, 1}, {6, 3}}, {{4, 1}, {6, 3}}};
  const auto space = LsiSpace::train(views(pages), {.dimensions = 2});
  ASSERT_TRUE(space);
  const auto one = space->direction(Terms{{1, 1}}), two = space->direction(Terms{{2, 1}}),
             three = space->direction(Terms{{3, 1}});
  EXPECT_GT(dot(one, two), 0.99);
  EXPECT_LT(dot(one, three), 0.01);
}

TEST(LsiSpace, an_empty_page_is_the_zero_vector) {
  const std::vector<Terms> pages = {{{1, 1}}, {}, {{2, 1}}};
  const auto space = LsiSpace::train(views(pages));
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ(norm(space->fold({})), 0);
  EXPECT_EQ(norm(space->direction(Terms{{77, 4}})), 0);
}

TEST(LsiSpace, pages_without_words_are_an_error) {
  const std::vector<Terms> pages(3);
  const auto space = LsiSpace::train(views(pages));
  ASSERT_FALSE(space);
  EXPECT_NE(space.error().message.find("no words"), std::string::npos);
}

TEST(LsiSpace, saving_keeps_all_of_it) {
  const std::vector<Terms> pages = made_pages(2, 10);
  const auto space = LsiSpace::train(views(pages), {.dimensions = 3});
  expect_survives_saving(*space);
}

}  // namespace
}  // namespace dowser
