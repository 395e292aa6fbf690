#include <gtest/gtest.h>

#include <cmath>

#include "strategy/strategy.h"
#include "tests/strategy/contracts.h"
#include "tests/strategy/written_visit.h"

// The example (layer 0) is "gold gold silver"; one page links to it, "silver copper", and one links
// to that, "gold copper iron iron". N = 3 pages.
//
// Of the terms of layer 0, gold stands in 2 pages and silver in 2: each may be a feature, as
// ln(3/2) > 0. copper and iron are no terms of layer 0.
//
// Counts of (gold, silver): layer 0 (2, 1), layer 1 (0, 1), layer 2 (1, 0). With 1 added to each:
//   P(gold | l)   = 3/5, 1/3, 2/3
//   P(silver | l) = 2/5, 2/3, 1/3

namespace dowser {
namespace {

constexpr double kExact = 1e-9;

class ContextGraphTest : public testing::Test {
 protected:
  ContextGraphTest() { topic_.examples = {written_page("http://w.test/0", "gold gold silver")}; }

  StrategyContext context() const {
    StrategyContext context{topic_};
    context.layers_around_examples = [this](size_t layers, size_t most, bool) {
      EXPECT_EQ(most, 300u);
      PageLayers pages = {{&parent_}, {&grandparent_}};
      pages.resize(layers);
      return pages;
    };
    return context;
  }
  static std::unique_ptr<Strategy> make(const std::string& text, const StrategyContext& context) {
    auto made = make_context_graph(*Spec::parse(text), context);
    EXPECT_TRUE(made.ok());
    return std::move(*made);
  }
  static Score score(Strategy& strategy, const std::string& words, double relevance = 0) {
    const Visit visit = written_visit(
        0, {}, relevance, written_page("http://w.test/page", words + " [on|http://w.test/on]"));
    strategy.learn(visit);
    const auto score = strategy.score(visit, visit.page.links[0]);
    EXPECT_TRUE(score.has_value());
    return score.value_or(Score::last());
  }

  Topic topic_;
  const Page parent_ = written_page("http://w.test/1", "silver copper");
  const Page grandparent_ = written_page("http://w.test/2", "gold copper iron iron");
};

TEST_F(ContextGraphTest, links_wait_by_the_layer_of_their_page_and_its_probability) {
  auto graph = make("context-graph(layers=2, tempered=0)", context());

  // "silver silver silver": (2/5)³, (2/3)³, (1/3)³ = 0.064, 8/27, 1/27: layer 1.
  const double silver = 8.0 / 27 / (0.064 + 8.0 / 27 + 1.0 / 27);
  const Score first = score(*graph, "silver silver silver");
  EXPECT_EQ(first.parts()[0], -1);
  EXPECT_NEAR(first.parts()[1], silver, kExact);
  EXPECT_NEAR(first.parts()[1], 0.7457121551081282, kExact);

  // "gold" seven times: (3/5)⁷, (1/3)⁷, (2/3)⁷: layer 2.
  const double a = std::pow(3.0 / 5, 7), b = std::pow(1.0 / 3, 7), c = std::pow(2.0 / 3, 7);
  const Score second = score(*graph, "gold gold gold gold gold gold gold");
  EXPECT_EQ(second.parts()[0], -2);
  EXPECT_NEAR(second.parts()[1], c / (a + b + c), kExact);

  // "gold gold silver silver silver" · 3/5 and 2/5: 0.02304; 8/243 = 0.03292; 4/243 = 0.01646. The
  // best, layer 1, has 0.03292 / 0.07242 = 0.4545…, less than the threshold: "other", behind all.
  const double p0 = 0.36 * 0.064, p1 = 8.0 / 243, p2 = 4.0 / 243;
  const Score other = score(*graph, "gold gold silver silver silver");
  EXPECT_EQ(other.parts()[0], -3);
  EXPECT_NEAR(other.parts()[1], p1 / (p0 + p1 + p2), kExact);

  EXPECT_GT(first, second);
  EXPECT_GT(second, other);
  EXPECT_GT(first, score(*graph, "silver silver"));  // the same layer, less probable
}

// "gold silver": 6/25, 2/9, 2/9, so 0.24 / 0.68444 = 0.3506… for layer 0.
TEST_F(ContextGraphTest, a_page_of_layer_0_goes_before_all_others) {
  auto graph = make("context-graph(layers=2, tempered=0, threshold=0.35)", context());
  const Score best = score(*graph, "gold silver");
  EXPECT_EQ(best.parts()[0], 0);
  EXPECT_NEAR(best.parts()[1], 0.24 / (0.24 + 4.0 / 9), kExact);
  EXPECT_GT(best, score(*graph, "silver silver silver"));
}

TEST_F(ContextGraphTest, a_tempered_page_counts_as_so_many_words) {
  auto graph = make("context-graph(layers=2, tempered=3)", context());
  EXPECT_NEAR(score(*graph, "silver silver silver silver silver silver").parts()[1],
              0.7457121551081282, kExact);  // as "silver silver silver"
}

TEST_F(ContextGraphTest, only_the_best_terms_of_the_examples_are_looked_at) {
  // By n ln(N / df): gold 2 ln(3/2), silver ln(3/2). With one feature P(gold | l) is 1 everywhere.
  auto graph = make("context-graph(layers=2, features=1)", context());
  EXPECT_NEAR(score(*graph, "silver silver silver").parts()[1], 1.0 / 3, kExact);
  EXPECT_NEAR(score(*graph, "gold gold gold").parts()[1], 1.0 / 3, kExact);
  auto both = make("context-graph(layers=2, features=2)", context());
  EXPECT_EQ(score(*both, "copper iron iron").parts()[0], -3);  // nothing it knows
  EXPECT_NEAR(score(*both, "copper iron iron").parts()[1], 1.0 / 3, kExact);
}

TEST_F(ContextGraphTest, layers_without_pages_are_never_chosen) {
  auto graph = make("context-graph(tempered=0)", context());  // four layers, two of them empty
  EXPECT_NEAR(score(*graph, "silver silver silver").parts()[1], 0.7457121551081282, kExact);
  EXPECT_EQ(score(*graph, "").parts()[0], -5);
}

TEST_F(ContextGraphTest, without_back_links_a_link_is_as_good_as_its_page) {
  const Topic words{"gold", {}};
  EXPECT_EQ(score(*make("context-graph", {words}), "gold", 0.4), Score(0.4));
  EXPECT_EQ(score(*make("context-graph", {topic_}), "gold", 0.3), Score(0.3));
  StrategyContext no_page{topic_};
  no_page.layers_around_examples = [](size_t layers, size_t, bool) { return PageLayers(layers); };
  EXPECT_EQ(score(*make("context-graph", no_page), "gold", 0.2), Score(0.2));
}

TEST_F(ContextGraphTest, explains_a_score_by_layer_and_probability) {
  auto graph = make("context-graph(layers=2, tempered=0)", context());
  const Visit visit = written_visit(
      0, {}, 0, written_page("http://w.test/", "silver silver silver [on|http://w.test/on]"));
  graph->learn(visit);
  const auto parts = explains(*graph).explain(visit, visit.page.links[0]);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].name, "layer");
  EXPECT_EQ(parts[0].value, 1);
  EXPECT_EQ(parts[1].name, "probability");
  EXPECT_NEAR(parts[1].value, 0.7457121551081282, kExact);
}

TEST_F(ContextGraphTest, refuses_parameters_that_mean_nothing) {
  for (const char* text : {"context-graph(layers=0)", "context-graph(layers=101)",
                           "context-graph(most=0)", "context-graph(threshold=1.1)",
                           "context-graph(features=0)", "context-graph(tempered=-1)"}) {
    EXPECT_FALSE(make_context_graph(*Spec::parse(text), {topic_}).ok()) << text;
  }
}

}  // namespace
}  // namespace dowser
