#include "judge/reasons.h"

#include <gtest/gtest.h>

#include <cmath>

#include "judge/judge.h"
#include "tests/judge/made_pages.h"

namespace dowser {
namespace {

double sum_of(const Reasons& reasons) {
  double sum = 0;
  for (const auto& reason : reasons) sum += reason.weight;
  return sum;
}

// A page of many words, so that there are more than the dozen that are shown.
Page long_page(Random& random, bool birds) {
  Page page = made_page(random, birds);
  for (int i = 0; i < 100; ++i) page.text += " word" + std::to_string(random.below(300));
  return written_page(page.text);
}

struct Made {
  const char* name;
  MakeJudge* make;
};

class ReasonsOfJudges : public testing::TestWithParam<Made> {};

// Before it has learned anything, and after.
TEST_P(ReasonsOfJudges, add_up_to_the_relevance_of_every_page) {
  for (const bool from_words : {true, false}) {
    Random random(3);
    Topic topic;
    if (from_words) topic.words = "owl feather nest";
    for (int i = 0; i < (from_words ? 0 : 5); ++i)
      topic.examples.push_back(long_page(random, true));
    if (GetParam().make == make_keyword_judge) topic.words = "owl feather nest";
    Result<std::unique_ptr<Judge>> made = GetParam().make({GetParam().name, {}}, {topic, {}, {}});
    ASSERT_TRUE(made) << made.error().message;
    std::unique_ptr<Judge> judge = std::move(*made);
    std::unique_ptr<Trainer> trainer = trainer_of(*judge);
    for (uint32_t i = 0; i < 120; ++i) {
      const Page page = long_page(random, i % 3 == 0);
      const Judgement judgement = judge->judge(page);
      EXPECT_NEAR(sum_of(judgement.reasons), judgement.relevance.value, 1e-9) << page.text;
      EXPECT_LE(judgement.reasons.size(), 14u);
      if (!trainer) continue;
      Visit visit = made_visit(i, page, i < 3);
      visit.judgement = judgement;
      if (auto better = trainer->learn(visit)) judge = std::move(better);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ReasonsOfJudges,
    testing::Values(Made{"cosine", make_cosine_judge}, Made{"keyword", make_keyword_judge},
                    Made{"learned", make_learned_judge}, Made{"bayes", make_bayes_judge},
                    Made{"svm", make_svm_judge}, Made{"neighbours", make_neighbours_judge},
                    Made{"seeds", make_seeds_judge}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Reasons, words_are_shown_as_they_stand_on_the_page) {
  Topic topic;
  topic.words = "owls nesting";
  const auto judge = make_cosine_judge({"cosine", {}}, {topic, {}, {}});
  ASSERT_TRUE(judge);
  const Judgement judgement = (*judge)->judge(written_page("The Owl and its NESTS, in a tree."));
  ASSERT_EQ(judgement.reasons.size(), 2u);
  std::vector<std::string> words = {judgement.reasons[0].word, judgement.reasons[1].word};
  std::sort(words.begin(), words.end());
  EXPECT_EQ(words, (std::vector<std::string>{"NESTS", "Owl"}));
}

TEST(Reasons, log_odds_become_shares_of_the_relevance) {
  Page page = written_page("alpha beta");
  const SparseVector parts({{term_id("alpha"), 2.0}, {term_id("beta"), -1.0}});
  const Reasons reasons = reasons_of_log_odds(page, parts, 0.7);
  ASSERT_EQ(reasons.size(), 3u);
  EXPECT_EQ(reasons[0].word, "alpha");
  EXPECT_EQ(reasons[2].word, kWithoutWords);
  EXPECT_NEAR(reasons[0].weight, -2 * reasons[1].weight, 1e-12);
  EXPECT_NEAR(sum_of(reasons), 0.7, 1e-12);
  EXPECT_NEAR(reasons[2].weight, 1 / (1 + std::exp(-(std::log(0.7 / 0.3) - 1))), 1e-12);
}

TEST(Reasons, words_that_cancel_each_other_still_add_up) {
  Page page = written_page("alpha beta");
  const SparseVector parts({{term_id("alpha"), 3.0}, {term_id("beta"), -3.0}});
  for (const double relevance : {0.0, 0.3, 1.0}) {
    EXPECT_NEAR(sum_of(reasons_of_log_odds(page, parts, relevance)), relevance, 1e-9);
  }
}

}  // namespace
}  // namespace dowser
