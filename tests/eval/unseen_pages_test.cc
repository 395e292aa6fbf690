#include <set>

#include "tests/eval/made_web.h"

namespace dowser {
namespace {

Course crawl_birds(const HeldWeb& web, const Topic& topic, const std::string& strategy,
                   const std::string& judge) {
  JudgeInUse in_use(std::move(*make_judge(judge, {topic, {}, {}, &bird_browsing()})));
  StrategyContext context{topic};
  context.judge = &in_use;
  context.hmm = &bird_browsing();
  auto made = std::move(*make_strategy(strategy, context));
  CourseOptions options;
  options.budget = 14;
  return *run_course(web, nodes(web, {"start.html"}), *made, in_use, nullptr, options);
}

// The promise of a focused crawl: what is fetched next depends on nothing that has not been
// fetched. All other pages of the web are given other words and other links.
TEST(UnseenPages, the_way_of_a_crawl_does_not_depend_on_pages_that_it_has_not_fetched) {
  const HeldWeb web = bird_web();
  Topic topic;
  for (const std::string name : {"bird7.html", "bird8.html", "bird9.html"}) {
    topic.examples.push_back(web.page(node(web, name)));
  }
  for (const StrategyPlugin& plugin : strategy_plugins()) {
    // It is given the links around the examples; infospiders-db what an earlier crawl has found.
    if (plugin.name == "context-graph" || plugin.name == "infospiders-db") continue;
    for (const std::string& judge : {std::string(plugin.judge), std::string("learned")}) {
      const std::string name(plugin.name);
      const Course course = crawl_birds(web, topic, name, judge);
      const std::vector<std::string> fetched = names(web, course.pages);
      std::set<std::string> seen(fetched.begin(), fetched.end());
      std::vector<HeldWeb::Answer> answers;
      for (const auto& [file, html] : birds_and_stones()) {
        const bool is_seen = seen.contains(file);
        answers.push_back(made_page(
            file,
            is_seen ? html : "<title>A bird</title><p>bird feathers eggs" + links_to({"new"})));
      }
      ASSERT_LT(seen.size(), answers.size());
      const HeldWeb other(std::move(answers));
      EXPECT_EQ(names(other, crawl_birds(other, topic, name, judge).pages), fetched)
          << plugin.name << " with " << judge;
    }
  }
}

}  // namespace
}  // namespace dowser
