#include "judge/trained/final_verdicts.h"

#include <gtest/gtest.h>

#include "learn/final_model.h"

namespace dowser {
namespace {

constexpr FinalWeights kWords{.words = 0.5, .at_fetch = 0.5, .neighbours = 1, .offset = 0.25};

TEST(FinalRelevances, add_up_words_fetch_and_neighbours) {
  // Own log odds: 0.5 · 2 + 0, 0.5 · -2 + 0, 0; their mean is 0.
  const std::vector<FinalEvidence> pages{{2, 0.5}, {-2, 0.5}, {0, 0.5}};
  PageLists lists(10);
  lists.add(9, std::vector<uint32_t>{0, 2});
  const auto all = final_relevances(pages, lists, kWords);
  EXPECT_DOUBLE_EQ(all[0].log_odds, 1 + 0.25) << "beside a page of the mean";
  EXPECT_DOUBLE_EQ(all[1].log_odds, -1 + 0.25) << "beside no page";
  EXPECT_DOUBLE_EQ(all[2].neighbours, 0.5) << "1 / (one neighbour + 1)";
  EXPECT_DOUBLE_EQ(all[2].log_odds, 0.5 + 0.25);
}

TEST(FinalRelevances, a_title_with_words_of_the_topic_counts) {
  FinalWeights weights = kWords;
  weights.title = 2;
  const std::vector<FinalEvidence> pages{{0, 0.5, 0.75}, {0, 0.5, 0}};
  const auto all = final_relevances(pages, PageLists(2), weights);
  EXPECT_DOUBLE_EQ(all[0].log_odds, 1.5 + 0.25);
  EXPECT_DOUBLE_EQ(all[1].log_odds, 0.25);
}

TEST(FinalRelevances, a_copy_says_nothing_about_its_neighbours) {
  std::vector<FinalEvidence> pages{{4, 0.5}, {0, 0.5}};
  pages[0].is_new = false;
  PageLists lists(10);
  lists.add(9, std::vector<uint32_t>{0, 1});
  EXPECT_EQ(final_relevances(pages, lists, kWords)[1].neighbours, 0);
}

TEST(FinalRelevances, two_that_are_listed_together_often_are_neighbours_once) {
  const std::vector<FinalEvidence> pages{{2, 0.5}, {-2, 0.5}, {0, 0.5}};
  PageLists once(20), often(20);
  once.add(9, std::vector<uint32_t>{0, 2});
  for (const uint32_t from : {7u, 8u, 9u}) often.add(from, std::vector<uint32_t>{0, 2});
  EXPECT_EQ(final_relevances(pages, once, kWords)[2].neighbours,
            final_relevances(pages, often, kWords)[2].neighbours);
}

// 30 pages; the first is in the menu of ten of them.
TEST(FinalRelevances, a_page_that_a_third_of_all_pages_link_to_is_nobodys_neighbour) {
  const std::vector<FinalEvidence> pages{{4, 0.5}, {0, 0.5}, {0, 0.5}};
  PageLists lists(30);
  for (uint32_t from = 10; from < 20; ++from) lists.add(from, std::vector<uint32_t>{0, 1});
  lists.add(5, std::vector<uint32_t>{0, 2});
  const auto all = final_relevances(pages, lists, kWords);
  EXPECT_EQ(all[1].neighbours, 0);
  EXPECT_EQ(all[2].neighbours, 0);
}

TEST(FinalRelevances, pages_four_places_apart_are_no_neighbours) {
  constexpr uint32_t kNone = PageLists::kNone;
  const std::vector<FinalEvidence> pages{{4, 0.5}, {0, 0.5}, {0, 0.5}};
  PageLists lists(10);
  lists.add(9, std::vector<uint32_t>{0, kNone, kNone, 1, 2});
  const auto all = final_relevances(pages, lists, kWords);
  EXPECT_GT(all[1].neighbours, 0);
  EXPECT_LT(all[2].neighbours, all[1].neighbours) << "only beside page 1, which is below the mean";
}

// 400 pages of which a fifth has .8, then 4,000 of .03: those promise 120 more finds.
TEST(FinalThresholds, are_those_of_the_richest_beginning) {
  std::vector<double> relevances;
  for (int i = 0; i < 400; ++i) relevances.push_back(i % 5 == 0 ? 0.8 : i % 5 == 1 ? 0.35 : 0.1);
  const double alone = final_thresholds(relevances).relevant;
  EXPECT_EQ(alone, threshold_of_best_f1(relevances));
  for (int i = 0; i < 4000; ++i) relevances.push_back(i % 40 == 0 ? 0.35 : 0.03);
  const FinalThresholds thresholds = final_thresholds(relevances);
  EXPECT_EQ(thresholds.relevant, alone);
  EXPECT_EQ(thresholds.doubtful, std::min(alone, threshold_of_best_f1(relevances)));
}

TEST(FinalThresholds, of_nothing_are_a_half) {
  EXPECT_EQ(final_thresholds({}).relevant, 0.5);
  EXPECT_EQ(final_thresholds({}).doubtful, 0.5);
}

}  // namespace
}  // namespace dowser
