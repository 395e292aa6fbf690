#include "strategy/infospiders/spider_agent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/strategy/infospiders/spider_page.h"

namespace dowser {
namespace {

const Topic kTopic{"owl hawk", {}};

SpiderAgent new_agent(const SpiderKeywords& keywords, SpiderOptions options = {}) {
  Random random(1);
  return SpiderAgent(1, keywords, options, random);
}

TEST(SpiderKeywords, are_the_words_of_the_topic_in_any_form) {
  const SpiderKeywords keywords({"owls hawk owl", {}}, 20);
  EXPECT_EQ(keywords.of_topic(), 2u);
  EXPECT_EQ(keywords.number_of(term_id("owl")), 0u);
  EXPECT_EQ(keywords.number_of(term_id("hawk")), 1u);
  EXPECT_EQ(keywords.number_of(term_id("crow")), kNoKeyword);
}

TEST(SpiderKeywords, of_examples_are_their_strongest_terms) {
  const SpiderKeywords keywords(
      {"", {spider_page("a", "owl owl owl hawk hawk crow"), spider_page("b", "owl hawk kite")}}, 2);
  EXPECT_EQ(keywords.of_topic(), 2u);
  EXPECT_EQ(keywords.number_of(term_id("owl")), 0u);
  EXPECT_EQ(keywords.number_of(term_id("hawk")), 1u);
  EXPECT_NEAR((keywords.weight(0) + keywords.weight(1)) / 2, 1, 1e-12);
}

TEST(Choice, follows_equation_3_7) {
  // beta 2, scores 0.5, 1 and 0: e^1, e^2 and e^0, of e + e² + 1 = 2.718 + 7.389 + 1 = 11.107
  const double scores[] = {0.5, 1, 0};
  const auto p = choice_probabilities(scores, 2);
  const double e = std::exp(1.0), total = e + e * e + 1;
  EXPECT_NEAR(p[0], e / total, 1e-9);
  EXPECT_NEAR(p[1], e * e / total, 1e-9);
  EXPECT_NEAR(p[2], 1 / total, 1e-9);
}

TEST(Choice, does_not_overflow_and_without_greed_all_are_alike) {
  const double scores[] = {900, 1000};
  EXPECT_NEAR(choice_probabilities(scores, 100)[1], 1, 1e-9);
  EXPECT_NEAR(choice_probabilities(scores, 0)[1], 0.5, 1e-9);
  EXPECT_TRUE(choice_probabilities({}, 1).empty());
}

TEST(LinkEstimate, alpha_weighs_the_net_against_the_page) {
  EXPECT_NEAR(link_estimate(0.25, 0.8, 0.4), 0.2 + 0.3, 1e-9);
}

TEST(SpiderAgent, values_a_link_by_equation_4_2) {
  const SpiderKeywords keywords(kTopic, 20);
  const SpiderAgent agent = new_agent(keywords);
  const auto& layer = agent.net().parts().layers.front();
  const KeywordInput inputs[] = {{0, 1.5}, {1, 0.5}};
  const double expected =
      std::tanh(layer.biases[0] + layer.weights[0] * 1.5 + layer.weights[1] * 0.5);
  EXPECT_NEAR(agent.value(inputs), expected, 1e-9);
  EXPECT_NEAR(agent.value(inputs), agent.net().forward(std::vector{1.5, 0.5})[0], 1e-9);
}

TEST(SpiderAgent, with_hidden_units_the_short_way_gives_what_the_net_gives) {
  const SpiderKeywords keywords(kTopic, 20);
  SpiderOptions options;
  options.hidden = 3;
  const SpiderAgent agent = new_agent(keywords, options);
  const KeywordInput inputs[] = {{1, 2.0}};
  EXPECT_NEAR(agent.value(inputs), agent.net().forward(std::vector{0.0, 2.0})[0], 1e-9);
}

TEST(SpiderAgent, likes_links_near_its_keywords_before_it_has_learned_anything) {
  const SpiderKeywords keywords(kTopic, 20);
  const SpiderAgent agent = new_agent(keywords);
  const KeywordInput inputs[] = {{0, 2.0}, {1, 2.0}};
  EXPECT_GT(agent.value(inputs), agent.value({}));
}

TEST(SpiderAgent, knows_a_page_by_the_cosine_of_its_keywords) {
  // page: owl 2 times, crow once: p = (1 + ln 2, 1), keywords (1, 1) of which it has one
  const SpiderKeywords keywords(kTopic, 20);
  const double owl = 1 + std::log(2);
  EXPECT_NEAR(new_agent(keywords).similarity(spider_page("a", "owl owls crow"), keywords),
              owl / (std::sqrt(owl * owl + 1) * std::sqrt(2)), 1e-9);
  EXPECT_EQ(new_agent(keywords).similarity(spider_page("a", ""), keywords), 0);
}

TEST(SpiderAgent, learns_to_predict_what_it_is_told) {
  const SpiderKeywords keywords(kTopic, 20);
  SpiderAgent agent = new_agent(keywords);
  const KeywordInput owl[] = {{0, 10.0}}, hawk[] = {{1, 10.0}};
  for (int i = 0; i < 200; ++i) {
    agent.learn(owl, 0.6, 0.5);
    agent.learn(hawk, 0.1, 0.5);
  }
  EXPECT_NEAR(agent.value(owl), 0.6, 0.01);
  EXPECT_NEAR(agent.value(hawk), 0.1, 0.01);
}

TEST(SpiderAgent, one_step_of_learning_is_that_of_the_delta_rule) {
  // o = tanh(b + 2 w); the step is rate / (1 + 2²) times (t - o)(1 - o²), for w times the input 2.
  const SpiderKeywords keywords(kTopic, 20);
  SpiderAgent agent = new_agent(keywords);
  const double w = agent.net().parts().layers.front().weights[0];
  const double o = std::tanh(2 * w);
  const double step = 0.5 / 5 * (0.3 - o) * (1 - o * o);
  agent.learn(std::vector<KeywordInput>{{0, 2.0}}, 0.3, 0.5);
  EXPECT_NEAR(agent.net().parts().layers.front().weights[0], w + 2 * step, 1e-9);
  EXPECT_NEAR(agent.net().parts().layers.front().biases[0], step, 1e-9);
}

TEST(SpiderAgent, an_offspring_has_half_the_energy_and_the_most_frequent_term_as_a_keyword) {
  SpiderKeywords keywords(kTopic, 20);
  SpiderAgent parent = new_agent(keywords);
  parent.feed(1.5);  // 1 + 1.5
  Random random(2);
  SpiderAgent child =
      parent.reproduce(2, spider_page("a", "owl owl owl crow crow kite"), keywords, {}, random);
  EXPECT_NEAR(parent.energy(), 1.25, 1e-9);
  EXPECT_NEAR(child.energy(), 1.25, 1e-9);
  ASSERT_EQ(child.keywords().size(), 3u);
  EXPECT_EQ(child.keywords()[2], keywords.number_of(term_id("crow")));
  EXPECT_EQ(child.net().inputs(), 3u);
  EXPECT_EQ(parent.keywords().size(), 2u);
  EXPECT_FALSE(parent.has_keyword(child.keywords()[2]));
}

TEST(SpiderAgent, is_the_same_after_it_was_saved) {
  SpiderKeywords keywords(kTopic, 20);
  SpiderAgent parent = new_agent(keywords);
  Random random(2);
  const SpiderAgent child = parent.reproduce(2, spider_page("a", "crow"), keywords, {}, random);
  ByteWriter out;
  keywords.save(out);
  child.save(out);
  SpiderKeywords again(kTopic, 20);
  ByteReader in(out.bytes());
  again.load(in);
  const auto loaded = SpiderAgent::load(in, again);
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->energy(), child.energy());
  EXPECT_EQ(loaded->keywords(), child.keywords());
  EXPECT_EQ(loaded->net().parts(), child.net().parts());
  const KeywordInput inputs[] = {{0, 1.0}, {2, 3.0}};
  EXPECT_EQ(loaded->value(inputs), child.value(inputs));
}

}  // namespace
}  // namespace dowser
