#include "judge/judge.h"

#include <gtest/gtest.h>

#include <cmath>

#include "text/terms.h"

namespace dowser {
namespace {

Page page(std::string text, std::string title = "") {
  Page p;
  p.text = std::move(text);
  p.title = std::move(title);
  p.language = "en";
  p.terms = count_terms({p.title, p.text}, p.language);
  return p;
}

std::unique_ptr<Judge> cosine_judge(const Topic& topic, std::optional<double> threshold = {}) {
  return std::move(*make_cosine_judge({"cosine", {}}, {topic, threshold}));
}

std::unique_ptr<Judge> keyword_judge(const Topic& topic, const std::string& mode) {
  return std::move(*make_keyword_judge({"keyword", {{"mode", mode}}}, {topic, {}}));
}

const Topic kBirds{"bird feather nest", {}};

TEST(CosineJudge, is_the_cosine_of_logarithmic_frequencies) {
  // bird 3 times, nest once, stone twice: p = (1 + ln 3, 1, 1 + ln 2), t = (1, 1, 1)/√3
  const Judgement j = cosine_judge(kBirds)->judge(page("bird bird stone nest stone birds"));
  const double bird = 1 + std::log(3), nest = 1, stone = 1 + std::log(2);
  const double length = std::sqrt(bird * bird + nest * nest + stone * stone);
  EXPECT_NEAR(j.relevance.value, (bird + nest) / (length * std::sqrt(3)), 1e-12);
  EXPECT_TRUE(j.relevant);
}

TEST(CosineJudge, names_the_words_that_decided_as_they_were_written_strongest_first) {
  const Judgement j = cosine_judge({"species of birds", {}})->judge(page("birds bird species"));
  ASSERT_EQ(j.reasons.size(), 2u);
  EXPECT_EQ(j.reasons[0].word, "birds");
  EXPECT_EQ(j.reasons[1].word, "species");
  EXPECT_NEAR(j.reasons[0].weight + j.reasons[1].weight, j.relevance.value, 1e-12);
}

TEST(CosineJudge, counts_the_title) {
  EXPECT_GT(cosine_judge(kBirds)->judge(page("stone", "Bird")).relevance.value, 0);
}

TEST(CosineJudge, a_page_without_topic_words_or_without_words_has_none) {
  for (const char* text : {"stone and water", "", "the of and"}) {
    const Judgement j = cosine_judge(kBirds)->judge(page(text));
    EXPECT_EQ(j.relevance.value, 0) << text;
    EXPECT_FALSE(j.relevant);
  }
}

TEST(CosineJudge, learns_from_example_pages_and_sets_the_threshold_from_them) {
  Topic topic;
  topic.examples = {page("owl hunts mouse night"), page("owl hunts vole dusk")};
  const auto judge = cosine_judge(topic);
  // each against the other: two of four terms in common
  EXPECT_NEAR(judge->threshold(), 0.5 * 0.5, 1e-12);
  EXPECT_TRUE(judge->judge(page("owl hunts")).relevant);
  EXPECT_FALSE(judge->judge(page("stone water wood iron owl glass paper brick")).relevant);
}

TEST(CosineJudge, the_users_threshold_wins) {
  EXPECT_EQ(cosine_judge(kBirds, 0.7)->threshold(), 0.7);
}

TEST(CosineJudge, meets_the_stems_of_the_pages_language) {
  Page german = page("Die Vögel bauen Nester aus Federn");
  german.language = "de";
  german.terms = count_terms({german.text}, german.language);
  EXPECT_GT(cosine_judge({"Vogel Feder Nest", {}})->judge(german).relevance.value, 0.8);
}

TEST(CosineJudge, refuses_a_topic_of_stop_words) {
  const Topic topic{"the of and", {}};
  EXPECT_FALSE(make_cosine_judge({"cosine", {}}, {topic, {}}).ok());
}

TEST(KeywordJudge, any_all_and_frequency_mean_what_they_say) {
  struct Case {
    std::string mode, text;
    double relevance;
    bool relevant;
  };
  for (const Case& c : std::vector<Case>{
           {"any", "a bird on a stone", 1.0 / 3, true},
           {"any", "a stone", 0, false},
           {"all", "birds nest", 2.0 / 3, false},
           {"all", "birds nest in feathers", 1, true},
           {"frequency", "bird stone stone stone", 1, true},
           {"frequency", "stone water", 0, false},
           {"frequency", "", 0, false},
       }) {
    const Judgement j = keyword_judge(kBirds, c.mode)->judge(page(c.text));
    EXPECT_NEAR(j.relevance.value, c.relevance, 1e-12) << c.mode << ": " << c.text;
    EXPECT_EQ(j.relevant, c.relevant) << c.mode << ": " << c.text;
  }
}

TEST(KeywordJudge, frequency_is_relevant_from_one_word_in_a_hundred_on) {
  std::string text = "bird";
  for (int i = 0; i < 99; ++i) text += " stone";
  EXPECT_TRUE(keyword_judge(kBirds, "frequency")->judge(page(text)).relevant);
  text += " stone stone";
  EXPECT_FALSE(keyword_judge(kBirds, "frequency")->judge(page(text)).relevant);
}

TEST(KeywordJudge, refuses_an_unknown_mode) {
  const auto judge = make_keyword_judge({"keyword", {{"mode", "most"}}}, {kBirds, {}});
  ASSERT_FALSE(judge.ok());
  EXPECT_EQ(judge.error().message,
            "mode of keyword must be one of any, all, frequency, not 'most'");
}

}  // namespace
}  // namespace dowser
