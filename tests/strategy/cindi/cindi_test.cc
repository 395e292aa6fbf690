#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/crawl_statistics.h"
#include "strategy/cindi/anchor_lists.h"
#include "strategy/cindi/layer_two.h"
#include "tests/strategy/contracts.h"
#include "tests/strategy/written_visit.h"

namespace dowser {
namespace {

Page anchors_page(std::string_view text, std::string language = "en") {
  Page page = written_page("http://a.test/", text);
  page.language = std::move(language);
  std::vector<uint32_t> cuts;
  for (const Link& link : page.links) {
    cuts.push_back(link.anchor.begin);
    cuts.push_back(link.anchor.end);
  }
  page.placed_terms = placed_terms(page.text, page.language, cuts);
  return page;
}

TEST(AnchorLists, compare_whole_texts_after_stop_words_and_stems) {
  Profile::Anchors anchors;
  anchors.pruning = {"Disclaimers", "Privacy policy", "of the"};
  const AnchorLists lists(anchors);
  EXPECT_FALSE(lists.has_extracting());
  const Page page = anchors_page(
      "[the disclaimer|http://a.test/1] [Privacy Policies|http://a.test/2] [disclaimer "
      "desk|http://a.test/3] "
      "[|http://a.test/4] [of the|http://a.test/5] [policy privacy|http://a.test/6]");
  std::vector<bool> pruned;
  for (const Link& link : page.links) pruned.push_back(lists.prunes(page, link));
  EXPECT_EQ(pruned, (std::vector<bool>{true, true, false, false, false, false}));
}

TEST(LayerTwo, lets_pages_in_that_resemble_those_that_lead_to_examples) {
  Topic topic;
  topic.examples.push_back(written_page("http://a.test/goal", "treasure treasure"));
  const Page near = written_page("http://a.test/near", "map map map island");
  const Page away = written_page("http://a.test/away", "weather weather weather island");
  StrategyContext context{topic};
  context.layers_around_examples = [&](size_t layers, size_t, bool ascends) {
    EXPECT_EQ(layers, 5u);
    EXPECT_TRUE(ascends);
    PageLayers found(layers);
    found[1].push_back(&near);
    return found;
  };
  LayerTwo untrained = *LayerTwo::make({}, context);
  EXPECT_FALSE(untrained.is_trained());
  EXPECT_TRUE(untrained.contains(away, false));  // nothing is known of what is outside
  context.pages_far_from_examples = [&](size_t, size_t) { return std::vector<const Page*>{&away}; };
  for (const auto by : {LayerTwo::TunnelBy::kFactor, LayerTwo::TunnelBy::kOdds}) {
    const LayerTwo layer = *LayerTwo::make({.tunnel_by = by}, context);
    ASSERT_TRUE(layer.is_trained());
    EXPECT_TRUE(layer.contains(near, false));
    EXPECT_FALSE(layer.contains(away, false));
    EXPECT_FALSE(layer.contains(away, true));
    const Page between = written_page(
        "http://a.test/x", "map map map map map weather weather weather weather weather weather");
    EXPECT_FALSE(layer.contains(between, false));
    EXPECT_TRUE(layer.contains(between, true));
  }
}

TEST(LayerTwo, learns_from_the_crawl_which_pages_lead_nowhere) {
  const Topic topic;
  LayerTwo layer = *LayerTwo::make({}, {topic});
  uint32_t id = 0;
  // Pages of two kinds, each followed by three of its links: those of maps bring something.
  for (int i = 0; i < 30; ++i) {
    const bool leads = i % 2 == 0;
    const uint32_t parent = id++;
    layer.learn(written_visit(parent, {}, 0,
                              written_page(fmt::format("http://a.test/{}", parent),
                                           leads ? "map chart island" : "weather rain cloud")),
                false);
    for (int link = 0; link < 3; ++link) {
      Visit child = written_visit(id, parent, leads,
                                  written_page(fmt::format("http://a.test/{}", id), "treasure"));
      ++id;
      layer.learn(child, leads);
    }
  }
  ASSERT_TRUE(layer.is_trained());
  EXPECT_TRUE(layer.contains(written_page("http://a.test/x", "an old map"), false));
  EXPECT_FALSE(layer.contains(written_page("http://a.test/x", "rain again"), false));
}

Result<std::unique_ptr<Strategy>> cindi_strategy(const std::string& text,
                                                 const StrategyContext& context) {
  return make_cindi(*Spec::parse(text), context);
}

class CindiStrategy : public testing::Test {
 protected:
  std::unique_ptr<Strategy> make(const std::string& text) {
    StrategyContext context{topic_};
    context.profile = &profile_;
    auto made = cindi_strategy(text, context);
    EXPECT_TRUE(made.ok()) << made.error().message;
    return std::move(*made);
  }
  // The rule by which each link of the page was scored; "-" where it is not followed.
  static std::vector<std::string> rules(Strategy& strategy, const Visit& visit) {
    strategy.learn(visit);
    std::vector<std::string> names;
    for (const Link& link : visit.page.links) {
      const bool is_followed = strategy.score(visit, link).has_value();
      names.emplace_back(is_followed ? explains(strategy).explain(visit, link).front().name : "-");
    }
    return names;
  }

  Topic topic_;
  Profile profile_ = *load_profile("computer-science");
};

TEST_F(CindiStrategy, explains_the_rule) {
  const Page page = anchors_page(
      "text [one|http://a.test/1.html] [two|http://b.test/] [three|http://www.cs.c.edu/] "
      "[four|http://a.test/images/4.html] [five|http://a.test/1/2/3/4/5/6/7/8/9.html] "
      "[six|http://a.test/6.zip] [seven|http://a.test/7.pdf] [copyright|http://a.test/8.html]");
  const auto strategy = make("cindi");
  EXPECT_EQ(rules(*strategy, written_visit(0, {}, 1, page)),
            (std::vector<std::string>{"same site", "high", "department", "-", "-", "-", "same site",
                                      "-"}));
  profile_.anchors.extracting.clear();
  const auto other = make("cindi");
  EXPECT_EQ(rules(*other, written_visit(0, {}, 0, page)),
            (std::vector<std::string>{"same site", "low", "department", "-", "-", "-", "-",
                                      "same site"}));
  const auto plain = make("cindi(without=url+anchors+keywords)");
  EXPECT_EQ(rules(*plain, written_visit(0, {}, 1, page)),
            (std::vector<std::string>{"same site", "high", "high", "same site", "same site",
                                      "same site", "same site", "same site"}));
  const auto flat = make("cindi(without=graph)");
  EXPECT_EQ(rules(*flat, written_visit(0, {}, 0, page)).front(), "outside");
  const auto printed = make("cindi(without=graph, others=drop)");
  EXPECT_EQ(rules(*printed, written_visit(0, {}, 0, page)).front(), "-");
}

TEST_F(CindiStrategy, refuses_wrong_parameters_in_a_sentence) {
  const auto error = [&](const std::string& text) {
    const auto made = cindi_strategy(text, {topic_});
    return made ? "" : made.error().message;
  };
  EXPECT_EQ(error("cindi(sites=0)"), "sites of cindi must be at least 1");
  EXPECT_EQ(error("cindi(bias=0)"), "bias of cindi must be above 0 and at most 1");
  EXPECT_EQ(error("cindi(without=url+urls)"),
            "without of cindi must be some of url, anchors, graph, tunnel, statistics, keywords, "
            "joined by '+', not 'url+urls'");
}

// The site is looked at after its 200th page: 9 of 200 are relevant.
TEST_F(CindiStrategy, leaves_a_trap_at_the_200th_page) {
  profile_.anchors = {};
  for (const bool looks : {true, false}) {
    const auto strategy = make(looks ? "cindi" : "cindi(without=statistics)");
    for (uint32_t i = 0; i < 200; ++i) {
      const Page page =
          anchors_page(fmt::format("[next|http://a.test/{}.html] [other|http://b.test/]", i));
      const auto followed = rules(*strategy, written_visit(i, {}, i < 9, page));
      EXPECT_EQ(followed.front() == "-", looks && i == 199) << i;
      EXPECT_NE(followed.back(), "-");
    }
  }
}

}  // namespace
}  // namespace dowser
