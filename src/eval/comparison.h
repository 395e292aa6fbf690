#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "engine/plugins.h"
#include "eval/course.h"
#include "eval/draw.h"
#include "eval/session_model.h"
#include "eval/statistics.h"
#include "eval/verdicts.h"
#include "model/profile.h"

// Which strategy is better, and is the difference significant? Every contestant crawls the same web
// from the same start pages with the same examples, many times; labels that none of them sees
// decide what was found.

namespace dowser {

// A strategy and the judge it is combined with.
struct Contestant {
  std::string name;  // as in tables: "best-first", "best-first with bayes"
  std::string strategy, judge;
  bool needs_hmm = false;  // it learns from browsing
};

// "best-first", "shark-search(delta=0.4) with svm". Without "with" it is the strategy's default
// judge. `own` are strategies that are not in the list of plug-ins.
Result<Contestant> parse_contestant(std::string_view text,
                                    std::span<const StrategyPlugin> own = {});

struct CompareOptions {
  std::vector<std::filesystem::path> web;
  std::filesystem::path labels;
  std::vector<std::string> topics;      // names in the labels; empty: all that have enough pages
  std::vector<std::string> strategies;  // empty: all
  std::vector<std::string> examples;    // without labels: pages on the topic, half of them held out
  std::map<std::string, std::string>
      words;  // of each topic, given instead of examples; empty: examples are given
  size_t example_count = 10;
  size_t seed_count = 3;
  uint32_t seed_distance = 2;
  std::vector<std::string> seeds;  // addresses to start from, instead of drawn ones
  uint32_t draws = 10;
  size_t budget = 1000;
  uint64_t random_seed = 1;
  bool drop_missing = true;
  // Of the simulated polite crawls.
  Duration delay = std::chrono::seconds(1);
  Duration latency = std::chrono::milliseconds(200);
  size_t connections = 32;
  // This many draws are also crawled politely and from other seeds, which doubles their time each.
  uint32_t extra_draws = 2;
  size_t threads = 2;
  std::filesystem::path sessions;  // examples are their goals, and hmm learns from them
  size_t sessions_per_goal = 20;
  double near = 0.7;  // a cosine to an example from which a page counts as relevant
  SessionModelOptions hmm;
  std::optional<Profile> profile;  // of the subject, for strategies and judges that use one
  bool mark_topic = false;         // sessions mark every page of the topic that they visit
  std::span<const StrategyPlugin> own = {};  // in addition to the list of plug-ins
};

// Agents and what they brought, as Küçük (2009) reports InfoSpiders.
struct PopulationAt {
  size_t fetched = 0;
  size_t agents = 0;
  double efficiency = 0;  // targets among the pages fetched so far
  double relevance = 0;   // their mean similarity to the examples
};

// The result of one crawl, by a contestant for a draw of a topic.
struct Trial {
  std::vector<HeldWeb::Node> pages;  // in the order in which they were fetched
  std::vector<uint32_t> found;       // number of targets at each point
  size_t fetched = 0;
  double area = 0;
  double focus = 0;  // area as a fraction of the oracle's
  double lift = 0;   // (area - breadth-first) / (oracle - breadth-first)
  double recall = 0, harvest = 0;
  double site_recall = 0;  // hosts with reachable targets of which a page was fetched
  std::optional<uint32_t> to_quarter, to_half, to_three_quarters;  // search length
  double predicate = 0, phrase = 0;
  double similarity_seeds = 0;
  double similarity = 0, similarity_held_out = 0;  // to the examples, to the other target pages
  std::vector<double> moving_similarity;           // to the examples, at each point
  double retrieval_rank = 0, popularity = 0, in_links = 0;
  std::vector<PopulationAt> population;   // of a strategy with agents, after 50 … 500 pages
  std::optional<double> per_polite_hour;  // targets found, if it was crawled politely
  std::optional<double> robustness;       // overlap with what was found from other seeds
  std::vector<AdviceCheck> advice;        // after a quarter, half and three quarters of the budget
  // By labels, over the fetched pages that were not given as examples: the quality of the verdicts
  // at fetch, and at the end of the crawl. Nothing without labels, or if no page is on the topic.
  std::optional<VerdictQuality> verdicts_at_fetch, verdicts;
  // With sessions, the measures of Liu, Janssen and Milios 2005: similarity in the reduced space.
  std::optional<double> near_precision;       // pages near a target among those fetched
  std::optional<double> near_recall;          // near pages, of those that any contestant fetched
  std::optional<double> near_share;           // near pages, of the sum over all contestants
  std::optional<double> max_mean_similarity;  // over targets the maximum of the mean (equation 9)
  std::optional<double> mean_max_similarity;  // over pages the mean of the maximum (the figures)
  std::vector<double> near_curve, mean_max_curve;  // precision and that mean, at each point
};

struct ComparedTopic {
  std::string name;
  size_t pages = 0;                        // labelled
  std::vector<size_t> reachable;           // targets, in each draw
  std::vector<uint32_t> distance;          // of the seeds, in each draw
  std::vector<std::vector<Trial>> trials;  // by contestant, by draw
};

struct Comparison {
  CompareOptions options;
  size_t pages = 0, links = 0;  // of the web
  size_t missing_labels = 0;
  bool held_out_judge = false;          // there were no labels
  std::vector<std::string> notes;       // what a person should know, a sentence each
  std::vector<Contestant> contestants;  // the oracle is the last
  std::vector<uint32_t> points;
  std::vector<ComparedTopic> topics;

  // The mean of a measure over topics and draws.
  using Measure = std::function<std::optional<double>(const Trial&)>;
  Interval mean(size_t contestant, const Measure& measure) const;
  Interval mean(size_t contestant, size_t topic, const Measure& measure) const;
  // Of a minus b, draw by draw.
  Interval difference(size_t a, size_t b, const Measure& measure) const;
  // The quality of the advice, by the number of fetches after which it was given.
  std::map<size_t, AdviceScore> advice(size_t contestant) const;
};

// `watch` is called after every draw, by one thread at a time.
Result<Comparison> compare(const CompareOptions& options, const Watch& watch = keep_going);

}  // namespace dowser
