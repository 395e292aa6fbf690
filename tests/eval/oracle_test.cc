#include "eval/oracle.h"

#include "eval/measures.h"
#include "tests/eval/made_web.h"

namespace dowser {
namespace {

std::vector<char> targets(const HeldWeb& web, const std::vector<std::string>& wanted) {
  std::vector<char> is_target(web.nodes());
  for (const Node one : nodes(web, wanted)) is_target[one] = true;
  return is_target;
}

std::vector<std::string> oracle_goes(const HeldWeb& web, const std::vector<std::string>& wanted) {
  const auto oracle = make_oracle(web, targets(web, wanted));
  return names(web, run_made_course(web, nodes(web, {"s"}), *oracle, {}).pages);
}

// e leads to t1 alone: once that is found, the longer way over b is the shorter one.
TEST(Oracle, goes_the_shortest_way_to_what_is_still_wanted) {
  const HeldWeb web({made_page_to("s", {"d", "e", "a", "b"}), made_page_to("a", {"t1"}),
                     made_page_to("b", {"c"}), made_page_to("c", {"t2", "t3"}),
                     made_page_to("d", {"d2"}), made_page_to("d2", {}), made_page_to("e", {"t1"}),
                     made_page_to("t1", {}), made_page_to("t2", {}), made_page_to("t3", {})});
  EXPECT_EQ(oracle_goes(web, {"t1", "t2", "t3"}),
            (std::vector<std::string>{"s", "e", "t1", "b", "c", "t2", "t3", "d", "a", "d2"}));
}

TEST(Oracle, sees_through_redirects) {
  const HeldWeb web({made_page_to("s", {"x", "old"}), made_page_to("x", {}),
                     made_redirect("old", "new#part"), made_page_to("new", {"t"}),
                     made_page_to("t", {})});
  EXPECT_EQ(oracle_goes(web, {"t"}), (std::vector<std::string>{"s", "new", "t", "x"}));
}

TEST(Oracle, does_not_wait_for_a_target_that_cannot_be_had) {
  HeldWeb::Answer refused = made_answer("http://shut.test/robots.txt", 503);
  const HeldWeb web({refused, made_page("http://shut.test/t1", "<p>t"),
                     made_page_to("s", {"x", "http://shut.test/t1", "a"}), made_page_to("x", {}),
                     made_page_to("a", {"t2"}), made_page_to("t2", {})});
  EXPECT_EQ(oracle_goes(web, {"http://shut.test/t1", "t2"}),
            (std::vector<std::string>{"s", "a", "t2", "x"}));
}

TEST(Oracle, is_never_below_any_strategy) {
  const HeldWeb web = bird_web();
  CourseOptions options;
  options.budget = 20;
  for (const std::string kind : {"bird", "stone"}) {
    Draw draw;
    draw.is_target.resize(web.nodes());
    for (const Node page : pages_about(web, kind)) draw.is_target[page] = true;
    for (const char* seed : {"start.html", "dull2.html", "dull7.html", "stone3.html"}) {
      const Nodes seeds = nodes(web, {seed});
      const auto oracle = make_oracle(web, draw.is_target);
      const Course best = run_made_course(web, seeds, *oracle, options);
      for (const StrategyPlugin& plugin : strategy_plugins()) {
        const Course course = run_made_course(web, seeds, plugin.name, options);
        for (const size_t budget : {5, 10, 20}) {
          EXPECT_GE(area_of(best, draw, budget), area_of(course, draw, budget))
              << plugin.name << " from " << seed << " to " << kind;
        }
      }
    }
  }
}

}  // namespace
}  // namespace dowser
