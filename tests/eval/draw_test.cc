#include "eval/draw.h"

#include <algorithm>
#include <set>

#include "tests/eval/made_web.h"

namespace dowser {
namespace {

const HeldWeb& web() {
  static const HeldWeb web = bird_web();
  return web;
}

DrawOptions few() {
  DrawOptions options;
  options.examples = 3;
  options.seed_count = 2;
  return options;
}

Draw birds(uint32_t number, const DrawOptions& options = few()) {
  const Result<Draw> draw = make_draw(web(), "bird", pages_about(web(), "bird"), number, options);
  EXPECT_TRUE(draw.ok()) << draw.error().message;
  return *draw;
}

Nodes targets_of(const Draw& draw) {
  Nodes targets;
  for (Node i = 0; i < web().nodes(); ++i) {
    if (draw.is_target[i]) targets.push_back(i);
  }
  return targets;
}

TEST(Draw, examples_are_pages_of_the_topic_and_no_targets) {
  const Nodes pages = pages_about(web(), "bird");
  for (uint32_t number = 0; number < 20; ++number) {
    const Draw draw = birds(number);
    EXPECT_EQ(std::set(draw.examples.begin(), draw.examples.end()).size(), 3u);
    Nodes both = targets_of(draw);
    EXPECT_EQ(both.size(), 7u);
    both.insert(both.end(), draw.examples.begin(), draw.examples.end());
    std::sort(both.begin(), both.end());
    EXPECT_EQ(both, pages);
    ASSERT_EQ(draw.topic.examples.size(), 3u) << "their text is what a strategy sees";
    EXPECT_EQ(draw.topic.examples[0].url, web().answer(draw.examples[0]).url);
    EXPECT_TRUE(draw.topic.words.empty());
  }
}

TEST(Draw, seeds_are_as_far_from_the_targets_as_wanted) {
  for (const uint32_t wanted : {0u, 1u, 2u}) {
    DrawOptions options = few();
    options.seed_distance = wanted;
    options.seed_count = 1;
    const Draw draw = birds(1, options);
    Nodes all = pages_about(web(), "bird");
    for (const Node example : draw.examples) std::erase(all, example);
    const std::vector<uint32_t> distances = distances_to(web().links(), all);
    EXPECT_EQ(draw.distance, wanted);
    for (const Node seed : draw.seeds) EXPECT_EQ(distances[seed], wanted);
    for (const Node seed : draw.other_seeds) EXPECT_EQ(distances[seed], wanted);
  }
}

TEST(Draw, where_no_page_is_so_far_away_the_next_smaller_distance_is_taken) {
  DrawOptions options = few();
  options.seed_distance = 50;
  const Draw draw = birds(1, options);
  EXPECT_GT(draw.distance, 0u);
  EXPECT_LT(draw.distance, 50u);
  const std::vector<uint32_t> distances = distances_to(web().links(), targets_of(draw));
  EXPECT_GE(std::count(distances.begin(), distances.end(), draw.distance), 4);
  for (uint32_t further = draw.distance + 1; further < 50; ++further) {
    EXPECT_LT(std::count(distances.begin(), distances.end(), further), 4) << further;
  }
}

TEST(Draw, seeds_other_seeds_and_examples_are_all_different) {
  for (uint32_t number = 0; number < 20; ++number) {
    const Draw draw = birds(number);
    std::set<Node> all(draw.examples.begin(), draw.examples.end());
    all.insert(draw.seeds.begin(), draw.seeds.end());
    all.insert(draw.other_seeds.begin(), draw.other_seeds.end());
    EXPECT_EQ(all.size(), 3u + 2 + 2);
  }
}

TEST(Draw, repeats_under_the_same_random_seed_and_differs_under_another) {
  const auto all_draws = [](uint64_t random_seed) {
    DrawOptions options = few();
    options.random_seed = random_seed;
    std::vector<Nodes> all;
    for (uint32_t number = 0; number < 5; ++number) {
      const Draw draw = birds(number, options);
      all.push_back(draw.examples);
      all.push_back(draw.seeds);
    }
    return all;
  };
  EXPECT_EQ(all_draws(1), all_draws(1));
  EXPECT_NE(all_draws(1), all_draws(2));
  EXPECT_NE(birds(0).examples, birds(1).examples) << "each draw is another";
}

TEST(Draw, too_few_pages_is_one_sentence) {
  DrawOptions options = few();
  options.examples = 9;
  const auto draw = make_draw(web(), "bird", pages_about(web(), "bird"), 0, options);
  ASSERT_FALSE(draw.ok());
  EXPECT_EQ(draw.error().message,
            "topic bird has only 10 pages, too few to give 9 of them as examples");
}

TEST(Draw, given_seeds_do_not_count_as_found) {
  DrawOptions options = few();
  options.given_examples = nodes(web(), {"bird0.html", "bird1.html"});
  options.seeds = nodes(web(), {"bird4.html", "start.html"});
  const Draw draw = birds(0, options);
  EXPECT_EQ(draw.seeds, options.seeds);
  EXPECT_TRUE(draw.other_seeds.empty());
  EXPECT_EQ(draw.examples, options.given_examples);
  EXPECT_FALSE(draw.is_target[node(web(), "bird4.html")]);
  EXPECT_EQ(targets_of(draw).size(), 7u);
  EXPECT_EQ(draw.reachable, 7u);
}

TEST(Draw, targets_that_no_link_leads_to_are_not_reachable) {
  DrawOptions options = few();
  HeldWeb small({made_page_to("s", {"a"}), made_page_to("a", {}), made_page_to("b", {"a"}),
                 made_page_to("example", {})});
  options.given_examples = nodes(small, {"example"});
  options.seeds = nodes(small, {"s"});
  const auto draw = make_draw(small, "x", nodes(small, {"a", "b"}), 0, options);
  ASSERT_TRUE(draw.ok());
  EXPECT_EQ(draw->reachable, 1u);
  options.seeds = nodes(small, {"a"});
  const auto none = make_draw(small, "x", nodes(small, {"a", "b"}), 0, options);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message, "no page of topic x can be reached from the start pages");
}

}  // namespace
}  // namespace dowser
