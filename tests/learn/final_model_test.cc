#include "learn/final_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "learn/logistic_regression.h"

namespace dowser {
namespace {

// Pages of which every eighth is about the words 0 … 9, and all others about 100 … 199. Of the
// former half use the words 0 … 4 most, half 5 … 9.
struct MadePages {
  std::vector<SparseVector> pages;
  std::vector<char> on_topic;

  explicit MadePages(size_t count, uint64_t seed = 1) {
    Random random(seed);
    for (size_t i = 0; i < count; ++i) {
      const bool is_on_topic = i % 8 == 0;
      std::vector<SparseVector::Entry> entries;
      for (int word = 0; word < 40; ++word) {
        const bool of_topic = is_on_topic && random.below(3) == 0;
        const auto first = static_cast<uint32_t>(i % 16 == 0 ? 0 : 5);
        entries.push_back({of_topic ? first + static_cast<uint32_t>(random.below(5))
                                    : 100 + static_cast<uint32_t>(random.below(100)),
                           1});
      }
      pages.emplace_back(std::move(entries));
      on_topic.push_back(is_on_topic);
    }
  }
};

std::vector<TermCount> counts_of(const SparseVector& v) {
  std::vector<TermCount> counts;
  for (const auto& e : v.entries()) counts.push_back({e.index, static_cast<uint32_t>(e.value)});
  return counts;
}

double log_odds(double p) { return std::log(p / (1 - p)); }

FinalModel trained(const MadePages& made, std::vector<SparseVector> examples,
                   std::vector<uint32_t> words, std::vector<SparseVector> counter = {}) {
  Result<FinalModel> model = FinalModel::train({made.pages, examples, counter, words});
  EXPECT_TRUE(model) << (model ? "" : model.error().message);
  return std::move(*model);
}

TEST(LogisticRegression, has_no_slope_left_at_its_minimum) {
  Random random(5);
  std::vector<NumberedRow> rows;
  for (int i = 0; i < 60; ++i) {
    NumberedRow& row = rows.emplace_back();
    for (uint32_t k = 0; k < 6; ++k) {
      row.emplace_back(k, static_cast<double>(random.below(1000)) / 500 - 1 + (i < 20 && k == 0));
    }
  }
  std::vector<const NumberedRow*> positive, negative;
  for (int i = 0; i < 60; ++i) (i < 20 ? positive : negative).push_back(&rows[i]);
  const double cost = 0.5;
  const LogisticPlane plane = logistic_regression(positive, negative, 6, cost);
  EXPECT_GT(plane.weights[0], 0.1);
  // The slope of the objective, term by term.
  for (uint32_t k = 0; k <= 6; ++k) {
    double slope = k < 6 ? plane.weights[k] : plane.bias;
    for (int i = 0; i < 60; ++i) {
      const double side = i < 20 ? 1 : -1, weight = cost * 60 / (2.0 * (i < 20 ? 20 : 40));
      const double value = k < 6 ? rows[i][k].second : 1;
      slope -= weight * side * value / (1 + std::exp(side * plane(rows[i])));
    }
    EXPECT_NEAR(slope, 0, 0.05) << k;
  }
}

// Such as the one long page of a site that says everything about the topic: its cosine to the words
// is below that of a short page that mentions one of them once.
TEST(FinalModel, a_long_page_that_has_the_words_of_the_topic_often_is_relevant) {
  Random random(3);
  std::vector<SparseVector> pages;
  for (int i = 0; i < 200; ++i) {
    std::vector<SparseVector::Entry> entries;
    for (int word = 0; word < 40; ++word) {
      entries.push_back({100 + static_cast<uint32_t>(random.below(100)), 1});
    }
    const bool is_on_topic = i < 6, mentions_it = i % 2 == 0;
    for (uint32_t word = 0; word < 5; ++word) {
      if (is_on_topic || (mentions_it && word == random.below(5))) {
        entries.push_back({word, is_on_topic ? 3.0 : 1.0});
      }
    }
    pages.emplace_back(std::move(entries));
  }
  std::vector<SparseVector::Entry> entries;
  for (uint32_t word = 0; word < 5; ++word) entries.push_back({word, 60});
  for (uint32_t word = 100; word < 3100; ++word) entries.push_back({word, 5});
  pages.emplace_back(std::move(entries));
  const std::vector<uint32_t> words = {0, 1, 2, 3, 4};
  const Result<FinalModel> model = FinalModel::train({pages, {}, {}, words});
  ASSERT_TRUE(model);
  double highest_of_others = 0;
  for (size_t i = 6; i < 200; ++i) {
    highest_of_others = std::max(highest_of_others, model->relevance(counts_of(pages[i])));
  }
  EXPECT_GT(model->relevance(counts_of(pages.back())), highest_of_others);
}

TEST(FinalModel, tells_pages_of_the_topic_from_others_given_words_alone) {
  const MadePages made(400);
  const FinalModel model = trained(made, {}, {1, 7});
  std::vector<double> relevances;
  for (const SparseVector& page : made.pages) {
    relevances.push_back(model.relevance(counts_of(page)));
  }
  const double threshold = threshold_of_best_f1(relevances);
  size_t right = 0;
  for (size_t i = 0; i < made.pages.size(); ++i) {
    right += (relevances[i] >= threshold) == (made.on_topic[i] != 0);
  }
  EXPECT_GT(right, 380u);
}

TEST(FinalModel, tells_them_apart_given_examples) {
  const MadePages made(400), others(80, 2);
  const FinalModel model =
      trained(made, {others.pages[0], others.pages[8], others.pages[16], others.pages[24]}, {});
  double of_topic = 0, of_rest = 0;
  for (size_t i = 0; i < made.pages.size(); ++i) {
    (made.on_topic[i] ? of_topic : of_rest) += model.relevance(counts_of(made.pages[i]));
  }
  EXPECT_GT(of_topic / 50, 3 * of_rest / 350);
}

TEST(FinalModel, a_counter_example_lowers_pages_like_it) {
  const MadePages made(400), others(80, 2);
  const FinalModel before = trained(made, {}, {1, 7});
  const FinalModel after = trained(made, {}, {1, 7}, {others.pages[8]});  // about 5 … 9
  double same = 0, other = 0;
  for (size_t i = 0; i < made.pages.size(); i += 8) {
    const auto counts = counts_of(made.pages[i]);
    (i % 16 == 0 ? other : same) +=
        log_odds(after.relevance(counts)) - log_odds(before.relevance(counts));
  }
  EXPECT_LT(same, 0);
  EXPECT_LT(same, other);
}

// A crawl fetches the best pages first: what it has fetched is richer, the fewer pages that are.
TEST(FinalModel, the_pages_of_a_short_crawl_are_more_likely_relevant) {
  const auto mean_of_topic = [](size_t count) {
    const MadePages made(count);
    const FinalModel model = trained(made, {}, {1, 7});
    double sum = 0;
    for (size_t i = 0; i < made.pages.size(); i += 16)
      sum += model.relevance(counts_of(made.pages[i]));
    return sum / static_cast<double>(made.pages.size() / 16);
  };
  EXPECT_GT(mean_of_topic(240), mean_of_topic(2400));
}

TEST(FinalModel, its_contributions_add_up_to_the_log_odds) {
  const MadePages made(400), unseen(80, 3);
  const FinalModel model = trained(made, {}, {1, 7});
  for (const SparseVector& page : unseen.pages) {
    const auto counts = counts_of(page);
    double sum = model.base();
    const SparseVector contributions = model.contributions(counts);
    for (const auto& e : contributions.entries()) sum += e.value;
    EXPECT_NEAR(sum, log_odds(model.relevance(counts)), 1e-6);
  }
}

TEST(FinalModel, is_the_same_after_saving_and_loading) {
  const FinalModel model = trained(MadePages(400), {}, {1, 7}).with_threshold(0.25);
  ByteWriter out;
  model.save(out);
  ByteReader in(out.bytes());
  const Result<FinalModel> loaded = FinalModel::load(in, nullptr);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->parts(), model.parts());
  for (size_t size = 0; size < out.bytes().size(); size += 97) {
    ByteReader cut(std::string_view(out.bytes()).substr(0, size));
    EXPECT_FALSE(FinalModel::load(cut, nullptr)) << size;
  }
}

TEST(FinalModel, refuses_to_learn_from_too_little) {
  EXPECT_FALSE(FinalModel::train({MadePages(8).pages, {}, {}, std::vector<uint32_t>{1}}));
  const MadePages made(100);
  EXPECT_FALSE(FinalModel::train({made.pages, {}, {}, std::vector<uint32_t>{77}}));
}

// Any other threshold promises no more.
TEST(ThresholdOfBestF1, promises_the_best_f1) {
  Random random(9);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> p(1 + random.below(60));
    double all = 0;
    for (double& one : p) {
      one = std::pow(static_cast<double>(random.below(1000)) / 1000, 3);
      all += one;
    }
    const auto promised = [&](double threshold) {
      double sum = 0, said = 0;
      for (const double one : p) {
        if (one >= threshold) sum += one, ++said;
      }
      return said + all > 0 ? 2 * sum / (said + all) : 0;
    };
    const double best = promised(threshold_of_best_f1(p));
    for (const double other : p) EXPECT_LE(promised(other), best + 1e-12);
  }
  EXPECT_EQ(threshold_of_best_f1({}), 0.5);
}

}  // namespace
}  // namespace dowser
