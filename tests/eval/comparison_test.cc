#include "eval/comparison.h"

#include <nlohmann/json.hpp>

#include "eval/compare_report.h"
#include "eval/compare_results.h"
#include "tests/eval/made_web.h"

namespace dowser {
namespace {

using nlohmann::json;

const PackedWeb& packed() {
  static const PackedWeb packed;
  return packed;
}

CompareOptions small() {
  CompareOptions options;
  options.web = {packed().web};
  options.labels = packed().labels;
  options.example_count = 3;
  options.seed_count = 1;
  options.draws = 3;
  options.extra_draws = 1;
  options.budget = 15;
  options.threads = 1;
  return options;
}

CompareOptions without_labels(std::vector<std::string> examples) {
  CompareOptions options = small();
  options.labels.clear();
  for (std::string& example : examples) example = address(example);
  options.examples = std::move(examples);
  return options;
}

Result<Comparison> run(const CompareOptions& options) { return compare(options); }

const Comparison& all_strategies() {
  static const Result<Comparison> comparison = run(small());
  EXPECT_TRUE(comparison.ok()) << comparison.error().message;
  return *comparison;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

std::string error_of(const CompareOptions& options) {
  const Result<Comparison> comparison = run(options);
  return comparison ? "" : comparison.error().message;
}

TEST(Comparison, the_same_bytes_on_any_number_of_threads_and_again) {
  const std::string results = results_json(all_strategies());
  const std::string report = compare_report(all_strategies());
  for (const size_t threads : {1, 4, 1000}) {
    CompareOptions options = small();
    options.threads = threads;
    const auto again = run(options);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(results_json(*again), results) << threads;
    EXPECT_EQ(compare_report(*again), report) << threads;
  }
}

// Without sessions the strategies that learn from browsing are left out.
size_t strategies_without_model() {
  return static_cast<size_t>(std::ranges::count_if(
      strategy_plugins(), [](const StrategyPlugin& plugin) { return !plugin.needs_hmm; }));
}

TEST(Comparison, every_strategy_topic_and_draw_has_a_curve) {
  const json results = json::parse(results_json(all_strategies()));
  const size_t strategies = strategies_without_model() + 1;
  EXPECT_EQ(results["strategies"].size(), strategies);
  EXPECT_EQ(results["strategies"].back()["name"], "oracle");
  EXPECT_EQ(results["pages"], 30);
  EXPECT_EQ(results["judged_by"], "labels");
  EXPECT_EQ(results["differences_of_focus"].size(), strategies * (strategies - 1) / 2);
  ASSERT_EQ(results["topics"].size(), 2u);
  for (const json& topic : results["topics"]) {
    EXPECT_EQ(topic["pages"], 10);
    std::set<std::pair<std::string, int>> runs;
    for (const json& one : topic["runs"]) {
      runs.emplace(one["strategy"], one["draw"]);
      EXPECT_EQ(one["found"].size(), results["points"].size());
      EXPECT_EQ(one["moving_similarity"].size(), results["points"].size());
      EXPECT_EQ(one["per_polite_hour"].is_null(), one["draw"] != 0) << "of the extra draws only";
      EXPECT_EQ(one["robustness"].is_null(), one["draw"] != 0);
      EXPECT_LE(one["fetched"], 15);
    }
    EXPECT_EQ(runs.size(), strategies * 3);
    EXPECT_EQ(topic["runs"].size(), runs.size());
  }
}

TEST(Comparison, the_oracle_is_on_top_of_every_topic) {
  const Comparison& comparison = all_strategies();
  const Comparison::Measure focus = [](const Trial& o) { return std::optional(o.focus); };
  const size_t oracle = comparison.contestants.size() - 1;
  EXPECT_EQ(by_focus(comparison).front(), oracle);
  for (size_t topic = 0; topic < comparison.topics.size(); ++topic) {
    EXPECT_DOUBLE_EQ(comparison.mean(oracle, topic, focus).mean, 1);
    for (size_t i = 0; i < oracle; ++i) {
      EXPECT_LE(comparison.mean(i, topic, focus).mean, 1) << comparison.contestants[i].name;
    }
  }
}

TEST(Comparison, lift_goes_from_breadth_first_to_the_oracle) {
  const Comparison& comparison = all_strategies();
  for (size_t i = 0; i < comparison.contestants.size(); ++i) {
    const std::string& name = comparison.contestants[i].name;
    for (const ComparedTopic& topic : comparison.topics) {
      for (const Trial& trial : topic.trials[i]) {
        if (name == "breadth-first") {
          EXPECT_EQ(trial.lift, 0);
        }
        if (name == "oracle") {
          EXPECT_EQ(trial.lift, 1);
        }
      }
    }
  }
}

TEST(Comparison, differences_are_taken_draw_by_draw) {
  const Comparison& comparison = all_strategies();
  const Comparison::Measure area = [](const Trial& o) { return std::optional(o.area); };
  const Interval d = comparison.difference(0, 1, area);
  EXPECT_NEAR(d.mean, comparison.mean(0, area).mean - comparison.mean(1, area).mean, 1e-9);
  EXPECT_NEAR(comparison.difference(1, 0, area).mean, -d.mean, 1e-9);
  EXPECT_EQ(comparison.difference(1, 1, area).high, 0);
  const Comparison::Measure nothing = [](const Trial&) { return std::optional<double>(); };
  EXPECT_FALSE(comparison.difference(0, 1, nothing).known);
  EXPECT_FALSE(comparison.mean(0, 0, nothing).known);
}

TEST(Comparison, the_floor_is_always_there_and_a_strategy_only_once) {
  CompareOptions options = small();
  options.strategies = {"best-first", "best-first with cosine(to=nearest)", "best-first()",
                        "best-first-n(n=2)"};
  options.topics = {"bird"};
  options.draws = 1;
  const auto comparison = run(options);
  ASSERT_TRUE(comparison.ok()) << comparison.error().message;
  std::vector<std::string> names;
  for (const Contestant& c : comparison->contestants) names.push_back(c.name + " by " + c.judge);
  EXPECT_EQ(names,
            (std::vector<std::string>{
                "best-first by cosine", "best-first with cosine(to=nearest) by cosine(to=nearest)",
                "best-first-n(n=2) by cosine", "breadth-first by cosine", "oracle by cosine"}));
  EXPECT_EQ(comparison->topics.size(), 1u);
}

TEST(Comparison, progress_counts_every_draw) {
  std::vector<size_t> seen;
  CompareOptions options = small();
  options.strategies = {"random"};
  options.threads = 4;
  ASSERT_TRUE(compare(options, [&](const Progress& progress) {
                EXPECT_EQ(progress.total, 6u);
                seen.push_back(progress.done);
                return true;
              }).ok());
  EXPECT_EQ(seen, (std::vector<size_t>{1, 2, 3, 4, 5, 6}));
}

TEST(Comparison, given_start_pages_are_taken_and_there_are_no_others) {
  CompareOptions options = small();
  options.strategies = {"best-first"};
  options.seeds = {address("start.html"), address("none.html"), address("start.html#top")};
  const auto comparison = run(options);
  ASSERT_TRUE(comparison.ok());
  for (const ComparedTopic& topic : comparison->topics) {
    for (const auto& trials : topic.trials) {
      for (const Trial& trial : trials) {
        EXPECT_EQ(trial.pages.front(), comparison->topics[0].trials[0][0].pages.front());
        EXPECT_FALSE(trial.robustness.has_value());
      }
    }
  }
  EXPECT_TRUE(has(compare_report(*comparison), "starts at 3 given pages"));
  options.seeds = {address("none.html")};
  EXPECT_EQ(error_of(options), "none of the start pages is in the archive");
}

TEST(Comparison, without_labels_held_out_examples_judge_and_everybody_is_told) {
  const auto comparison =
      run(without_labels({"bird0.html", "bird3.html", "bird5.html", "bird8.html"}));
  ASSERT_TRUE(comparison.ok()) << comparison.error().message;
  EXPECT_TRUE(comparison->held_out_judge);
  ASSERT_EQ(comparison->topics.size(), 1u);
  EXPECT_EQ(comparison->topics[0].pages, 10u) << "the birds, and nothing else";
  EXPECT_TRUE(has(summary_table(*comparison), "There are no labels"));
  EXPECT_TRUE(has(compare_report(*comparison), "There were no labels"));
  EXPECT_TRUE(has(compare_report(*comparison), "In a draw 2 pages of the topic are given"));
  EXPECT_FALSE(has(compare_report(*comparison), "with this label"));
  EXPECT_EQ(json::parse(results_json(*comparison))["judged_by"], "held-out judge");
  EXPECT_EQ(json::parse(summary_json(*comparison))["judged_by"], "held-out judge");
  EXPECT_FALSE(has(summary_table(all_strategies()), "no labels"));
  EXPECT_FALSE(has(compare_report(all_strategies()), "There were no labels"));
}

TEST(Comparison, what_cannot_be_done_is_one_sentence) {
  const std::string few =
      "without --labels, give at least 4 pages with --example: half of them are hidden from "
      "the strategies, to judge what they find";
  EXPECT_EQ(error_of(without_labels({"bird0.html", "bird1.html", "bird2.html"})), few);
  EXPECT_EQ(error_of(without_labels({"bird0.html", "bird1.html", "bird0.html", "bird1.html"})), few)
      << "the same page twice is one page";
  EXPECT_EQ(error_of(without_labels({"bird0.html", "none.html", "bird1.html", "bird2.html"})),
            "the archive has no page http://web.test/none.html");
  CompareOptions options = small();
  options.topics = {"fish"};
  EXPECT_EQ(error_of(options), "no page is labelled 'fish': there are bird, stone");
  options = small();
  options.example_count = 6;
  EXPECT_EQ(error_of(options),
            "no topic has enough labelled pages: give fewer of them as examples with --positives");
  options.topics = {"bird"};
  options.example_count = 9;
  EXPECT_EQ(error_of(options),
            "topic bird has only 10 pages, too few to give 9 of them as examples");
  options = small();
  options.strategies = {"best-frist"};
  EXPECT_TRUE(has(error_of(options), "did you mean 'best-first'?"));
  options.strategies = {"best-first with cosin"};
  EXPECT_TRUE(has(error_of(options), "did you mean 'cosine'?"));
  options.strategies = {"best-first-n(m=3)"};
  EXPECT_TRUE(has(error_of(options), "best-first-n has no parameter 'm'"));
}

TEST(Comparison, a_topic_of_too_few_pages_does_not_end_the_others) {
  TempDir dir;
  ASSERT_TRUE(put_file(dir / "labels.tsv",
                         "http://web.test/bird0.html\ttwo\nhttp://web.test/bird1.html\ttwo\n"
                         "http://web.test/bird2.html\tthree\nhttp://web.test/bird3.html\tthree\n"
                         "http://web.test/bird4.html\tthree\n")
                  .ok());
  CompareOptions options = small();
  options.labels = dir / "labels.tsv";
  options.example_count = 1;
  options.strategies = {"best-first"};
  const auto comparison = run(options);
  ASSERT_TRUE(comparison.ok()) << comparison.error().message;
  ASSERT_EQ(comparison->topics.size(), 1u);
  EXPECT_EQ(comparison->topics[0].name, "three");
}

TEST(SummaryTable, has_a_line_a_strategy_and_straight_columns) {
  const std::string table = summary_table(all_strategies());
  std::istringstream lines(table);
  std::vector<size_t> widths;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) break;                                 // the table of verdicts follows
    if (line.find(" is left out: ") != line.npos) continue;  // a note below the table
    // A dash is one place wide and three bytes long.
    widths.push_back(static_cast<size_t>(
        std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; })));
  }
  EXPECT_EQ(widths.size(), strategies_without_model() + 2);
  EXPECT_EQ(widths, std::vector<size_t>(widths.size(), widths.front())) << table;
  EXPECT_LT(table.find("\noracle "), table.find("\nbreadth-first "));
}

TEST(CompareReport, has_every_strategy_and_a_section_for_each_topic) {
  const std::string report = compare_report(all_strategies());
  for (const StrategyPlugin& plugin : strategy_plugins()) {
    if (plugin.needs_hmm) continue;  // it has tests of its own, with a model
    EXPECT_TRUE(has(report, "</span>" + std::string(plugin.name) + "</td>")) << plugin.name;
  }
  EXPECT_TRUE(has(report, "<h2 id=\"bird\">bird</h2>"));
  EXPECT_TRUE(has(report, "<h2 id=\"stone\">stone</h2>"));
  for (const Column& column : columns()) EXPECT_TRUE(has(report, column.means)) << column.name;
  EXPECT_FALSE(has(report, "nan")) << "every number is one";
}

TEST(CompareReport, needs_no_network) {
  const std::string report = compare_report(all_strategies());
  for (const char* outside : {"://", "src=", "href=", "url(", "@import", "<link", "fetch("}) {
    EXPECT_FALSE(has(report, outside)) << outside;
  }
}

TEST(CompareReport, names_of_topics_cannot_break_it) {
  Comparison comparison = all_strategies();
  comparison.topics[0].name = "<script>alert(1)</script>\"";
  const std::string report = compare_report(comparison);
  EXPECT_FALSE(has(report, "<script>alert"));
  EXPECT_TRUE(has(report, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;"));
}

}  // namespace
}  // namespace dowser
