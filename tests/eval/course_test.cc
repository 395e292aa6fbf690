#include "eval/course.h"

#include "tests/eval/made_web.h"

namespace dowser {
namespace {

using std::chrono::microseconds;

const HeldWeb& web() {
  static const HeldWeb web = bird_web();
  return web;
}

Course crawl_birds(std::string_view strategy, const CourseOptions& options) {
  return run_made_course(web(), nodes(web(), {"start.html"}), strategy, options);
}

CourseOptions polite() {
  CourseOptions options;
  options.budget = 20;
  options.delay = microseconds(1'000'003);
  options.latency = microseconds(250'007);
  return options;
}

TEST(Course, without_delay_and_latency_takes_no_time) {
  CourseOptions options;
  options.budget = 20;
  const Course course = crawl_birds("breadth-first", options);
  EXPECT_EQ(course.pages.size(), 20u);
  EXPECT_EQ(course.elapsed, Duration(0));
}

TEST(Course, on_one_host_politeness_costs_time_and_changes_nothing_else) {
  CourseOptions options;
  options.budget = 20;
  for (const StrategyPlugin& plugin : strategy_plugins()) {
    for (const size_t connections : {1, 32}) {
      // With more connections than a batch has links the next batch is chosen early; agents choose
      // by themselves, however many pages are on their way.
      const bool chooses_early =
          plugin.name.ends_with("-n") || plugin.name.starts_with("infospiders");
      if (connections > 1 && chooses_early) continue;
      CourseOptions slow = polite();
      slow.connections = connections;
      const Course course = crawl_birds(plugin.name, slow);
      EXPECT_EQ(course.pages, crawl_birds(plugin.name, options).pages) << plugin.name;
      const auto pages = static_cast<int64_t>(course.pages.size());
      EXPECT_GT(course.elapsed, (pages - 1) * slow.delay) << plugin.name;
    }
  }
}

// robots.txt takes no time, but it is a request: the first page, too, waits for the delay.
TEST(Course, time_is_exact_to_the_microsecond) {
  const CourseOptions options = polite();
  EXPECT_EQ(crawl_birds("breadth-first", options).elapsed, 20 * (options.delay + options.latency));
  CourseOptions eager = options;
  eager.delay = Duration(0);
  EXPECT_EQ(crawl_birds("breadth-first", eager).elapsed, 20 * eager.latency);
}

TEST(Course, two_hosts_are_asked_side_by_side) {
  const HeldWeb two(
      {made_page_to("http://a.test/1", {"http://a.test/2"}), made_page_to("http://a.test/2", {}),
       made_page_to("http://b.test/1", {"http://b.test/2"}), made_page_to("http://b.test/2", {})});
  const Nodes seeds = nodes(two, {"http://a.test/1", "http://b.test/1"});
  CourseOptions options = polite();
  options.connections = 2;
  const Course course = run_made_course(two, seeds, "breadth-first", options);
  EXPECT_EQ(course.pages.size(), 4u);
  EXPECT_EQ(course.elapsed, 2 * (options.delay + options.latency));
}

TEST(Course, stays_in_the_budget_also_with_many_connections) {
  CourseOptions options;
  options.budget = 7;
  options.latency = microseconds(5);
  options.connections = 32;
  for (const StrategyPlugin& plugin : strategy_plugins()) {
    const size_t fetched = crawl_birds(plugin.name, options).pages.size();
    EXPECT_LE(fetched, 7u) << plugin.name;
    // These follow links of relevant pages only, so they may come to an end.
    if (plugin.name == "hard-focus" || plugin.name == "intel-crawl") continue;
    EXPECT_EQ(fetched, 7u) << plugin.name;
  }
}

TEST(Course, a_missing_link_is_dropped_or_costs_a_fetch) {
  const HeldWeb small({made_page_to("s", {"none", "a"}), made_page_to("a", {})});
  CourseOptions options;
  const auto goes = [&] {
    return names(small,
                 run_made_course(small, nodes(small, {"s"}), "breadth-first", options).pages);
  };
  EXPECT_EQ(goes(), (std::vector<std::string>{"s", "a"}));
  options.drop_missing = false;
  EXPECT_EQ(goes(), (std::vector<std::string>{"s", "-", "a"}));
}

TEST(Course, a_redirect_and_its_page_are_one_fetch_in_whatever_spelling) {
  const HeldWeb small({made_page_to("s", {"old", "older", "gone"}),
                       made_redirect("old", "new?utm_source=old#part"), made_page_to("new", {}),
                       made_redirect("older", "new"), made_answer("gone", 404)});
  EXPECT_EQ(names(small, run_made_course(small, nodes(small, {"s"}), "breadth-first", {}).pages),
            (std::vector<std::string>{"s", "new", "-", "-"}))
      << "the second way to a page brings nothing, and neither does a 404";
}

TEST(Course, what_was_not_asked_for_is_no_fetch) {
  const HeldWeb small({made_page_to("s", {"http://shut.test/a", "b"}), made_page_to("b", {}),
                       made_answer("http://shut.test/robots.txt", 503),
                       made_page("http://shut.test/a", "<p>a")});
  EXPECT_EQ(names(small, run_made_course(small, nodes(small, {"s"}), "breadth-first", {}).pages),
            (std::vector<std::string>{"s", "b"}));
}

TEST(HeldJudgements, are_those_of_the_judge) {
  Topic topic;
  topic.words = "bird feathers";
  JudgeInUse judge(std::move(*make_judge("cosine", {topic})));
  HeldJudgements judgements(web(), judge);
  for (int round = 0; round < 2; ++round) {
    for (const HeldWeb::Answer& answer : web().answers()) {
      const Judgement expected = judge.judge(answer.page);
      EXPECT_EQ(judgements.of(answer).relevance, expected.relevance);
      EXPECT_EQ(judgements.of(answer).relevant, expected.relevant);
    }
  }
}

}  // namespace
}  // namespace dowser
