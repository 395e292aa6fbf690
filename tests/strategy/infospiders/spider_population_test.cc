#include "strategy/infospiders/spider_population.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/strategy/infospiders/spider_page.h"

namespace dowser {
namespace {

const Topic kTopic{"owl hawk", {}};

SpiderPopulation population(SpiderOptions options = {}) {
  return {options, SpiderPopulation::Lists::kOwn, kTopic, 1};
}

void tell(SpiderPopulation& agents, const Visit& visit) {
  agents.learn(visit);
  for (const Link& link : visit.page.links) agents.offer(visit, link);
}

TEST(SpiderPopulation, each_start_page_founds_an_agent_until_there_are_enough) {
  SpiderOptions options;
  options.agents = 2;
  SpiderPopulation agents = population(options);
  tell(agents, spider_visit(0, "a", "[x>b]"));
  tell(agents, spider_visit(1, "c", "[x>d]"));
  tell(agents, spider_visit(2, "e", "[x>f]"));
  EXPECT_EQ(agents.living(), 2u);
  EXPECT_EQ(agents.agents()[0].energy(), 1);  // theta / 2
  EXPECT_EQ(agents.agents()[0].links.size(), 2u) << "the third page is the next agent's in turn";
}

TEST(SpiderPopulation, an_average_page_pays_what_it_costs) {
  // Estimates: start page 0.5 (owl and crow: 1 / (√2 √2)), then 1 (owl and hawk).
  // Mean at the second visit (0.5 + 1) / 2 = 0.75; gain 0.2 (1 / 0.75 - 1) = 0.0667.
  SpiderPopulation agents = population();
  tell(agents, spider_visit(0, "a", "owl crow [>b] [>c]"));
  tell(agents, spider_visit(1, "b", "owl hawk", 0));
  EXPECT_NEAR(agents.current()->energy(), 1 + 0.2 * (1 / 0.75 - 1), 1e-9);
  // Then a page without keywords: it pays 0.2 and gets nothing.
  tell(agents, spider_visit(2, "c", "crow", 0));
  EXPECT_NEAR(agents.current()->energy(), 1 + 0.2 * (1 / 0.75 - 1) - 0.2, 1e-9);
}

TEST(SpiderPopulation, the_net_learns_the_page_and_the_best_of_its_links) {
  SpiderOptions options;
  options.rate = 0.5;
  options.discount = 0.25;
  SpiderPopulation agents = population(options);
  tell(agents, spider_visit(0, "a", "owl [hawk>b]"));
  const auto before = agents.current()->net().parts().layers.front();
  const SpiderAgent copy = *agents.current();
  tell(agents, spider_visit(1, "b", "owl crow [hawk>c]", 0));
  // Inputs of the link to b: owl 1, hawk 1. Estimate of b: owl, hawk and crow once each, 2 / √6.
  // The best link of b has owl 1 and hawk 1 too: target = 2 / √6 + 0.25 lambda.
  const double lambda = copy.value(std::vector<KeywordInput>{{0, 1.0}, {1, 1.0}});
  const double target = 2 / std::sqrt(6) + 0.25 * lambda;
  const double step = 0.5 / 3 * (target - lambda) * (1 - lambda * lambda);
  const auto& after = agents.current()->net().parts().layers.front();
  EXPECT_NEAR(after.weights[0], before.weights[0] + step, 1e-9);
  EXPECT_NEAR(after.weights[1], before.weights[1] + step, 1e-9);
  EXPECT_NEAR(after.biases[0], before.biases[0] + step, 1e-9);
}

TEST(SpiderPopulation, reproduction_halves_energy_and_links) {
  SpiderOptions options;
  options.cost = 10;
  SpiderPopulation agents = population(options);
  tell(agents, spider_visit(0, "a", "owl crow crow [>b] [>c] [>d] [>e] [>f]"));
  const double first =
      agents.current()->similarity(spider_page("a", "owl crow crow"), SpiderKeywords(kTopic, 20));
  tell(agents, spider_visit(1, "b", "owl hawk [>g] [>h]", 0));
  // Mean (first + 1) / 2; energy 1 + 10 (1 / mean - 1), which is above theta = 2.
  const double energy = 1 + 10 * (2 / (first + 1) - 1);
  ASSERT_GE(energy, 2);
  ASSERT_EQ(agents.living(), 2u);
  EXPECT_EQ(agents.births(), 1u);
  EXPECT_NEAR(agents.agents()[0].energy(), energy / 2, 1e-9);
  EXPECT_NEAR(agents.agents()[1].energy(), energy / 2, 1e-9);
  // c, d, e, f: two each; of the new page g to the parent and h to the offspring.
  EXPECT_EQ(agents.agents()[0].links.size(), 3u);
  EXPECT_EQ(agents.agents()[1].links.size(), 3u);
}

TEST(SpiderPopulation, who_runs_out_of_energy_dies_and_a_new_population_is_founded) {
  SpiderOptions options;
  options.cost = 1;
  options.agents = 3;
  SpiderPopulation agents = population(options);
  Frontier frontier{FrontierOptions{}};
  tell(agents, spider_visit(0, "a", "owl hawk [>b] [>c] [>d]"));
  for (const char* name : {"b", "c", "d"})
    frontier.offer(spider_address(name), Score(0.1), {VisitId{0}});
  FrontierView view(frontier);
  ASSERT_TRUE(view.take(spider_address("b")));
  tell(agents, spider_visit(1, "b", "crow", 0));  // 1 - 1
  EXPECT_EQ(agents.living(), 0u);
  const auto next = agents.choose(view);
  ASSERT_TRUE(next) << "the crawl goes on";
  tell(agents, spider_visit(2, "c", "crow [>e]", 0));
  EXPECT_EQ(agents.deaths(), 1u);
  EXPECT_EQ(agents.living(), 1u);
  EXPECT_EQ(agents.founded(), 2u);
  tell(agents, spider_visit(3, "d", "crow [>f]", 0));
  EXPECT_EQ(agents.living(), 2u) << "and as many as at the start are founded at the best links";
}

TEST(SpiderPopulation, a_link_is_of_the_agent_that_values_it_most) {
  SpiderPopulation agents = population();
  tell(agents, spider_visit(0, "a", "crow [>x]"));
  tell(agents, spider_visit(1, "b", "owl hawk [>x]"));
  EXPECT_TRUE(agents.agents()[0].links.empty());
  EXPECT_EQ(agents.agents()[1].links.size(), 1u);
}

TEST(SpiderPopulation, what_was_visited_is_no_choice_any_more) {
  SpiderPopulation agents = population();
  tell(agents, spider_visit(0, "a", "owl [>b] [>a] [>c]"));
  EXPECT_EQ(agents.agents()[0].links.size(), 2u) << "a is visited";
  tell(agents, spider_visit(1, "b", "owl", 0));
  EXPECT_EQ(agents.agents()[0].links.size(), 1u);
}

TEST(SpiderLinks, a_list_that_grows_too_long_keeps_its_best_in_their_order) {
  SpiderLinks links;
  SpiderLinks::List list;
  for (uint64_t i = 0; i < 10; ++i) {
    SpiderLink link;
    link.score = i % 2 == 0 ? 1 : 0;
    links.put(i, link);
    list.push_back(i);
  }
  links.trim(list, 7);
  EXPECT_EQ(list, (SpiderLinks::List{0, 1, 2, 3, 4, 6, 8})) << "of equals, the oldest";
  EXPECT_EQ(links.find(5), nullptr);
}

}  // namespace
}  // namespace dowser
