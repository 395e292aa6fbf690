#include "eval/compare_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "eval/verdict_report.h"

namespace dowser {
namespace {

using nlohmann::ordered_json;

template <class Value>
ordered_json or_null(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json interval_json(const Interval& interval) {
  if (!interval.known) return ordered_json();
  return {{"mean", interval.mean}, {"low", interval.low}, {"high", interval.high}};
}

ordered_json advice_json(const std::vector<AdviceCheck>& checks) {
  ordered_json all = ordered_json::array();
  for (const AdviceCheck& check : checks) {
    const Advice& a = check.advice;
    all.push_back({{"fetched", check.fetched},
                   {"remaining", a.remaining},
                   {"low", a.low},
                   {"high", a.high},
                   {"truth", check.truth},
                   {"next_thousand", a.next_thousand},
                   {"recall", a.recall()},
                   {"least_recall", a.least_recall()}});
  }
  return all;
}

ordered_json verdicts_json(const std::optional<VerdictQuality>& quality) {
  if (!quality) return ordered_json();
  ordered_json bins = ordered_json::array();
  for (const VerdictQuality::Bin& bin : quality->bins) {
    bins.push_back({bin.pages, bin.relevance, bin.on_topic});
  }
  return {{"pages", quality->pages},
          {"on_topic", quality->on_topic},
          {"precision", quality->precision},
          {"recall", quality->recall},
          {"f1", quality->f1},
          {"best_f1", quality->best_f1},
          {"best_threshold", quality->best_threshold},
          {"average_precision", quality->average_precision},
          {"calibration_error", quality->calibration_error},
          {"bins", std::move(bins)}};
}

ordered_json population_json(const std::vector<PopulationAt>& population) {
  ordered_json all = ordered_json::array();
  for (const PopulationAt& at : population) {
    all.push_back({{"fetched", at.fetched},
                   {"agents", at.agents},
                   {"efficiency", at.efficiency},
                   {"relevance", at.relevance}});
  }
  return all;
}

// The means over all trials of a contestant, at each of kReportedPages that any of them reached.
struct MeanPopulation {
  size_t fetched;
  double agents, efficiency, relevance;
};
std::vector<MeanPopulation> mean_population(const Comparison& comparison, size_t contestant) {
  std::vector<MeanPopulation> means;
  for (const size_t fetched : kReportedPages) {
    MeanPopulation sum{fetched, 0, 0, 0};
    double trials = 0;
    for (const ComparedTopic& topic : comparison.topics) {
      for (const Trial& trial : topic.trials[contestant]) {
        for (const PopulationAt& at : trial.population) {
          if (at.fetched != fetched) continue;
          sum.agents += static_cast<double>(at.agents);
          sum.efficiency += at.efficiency;
          sum.relevance += at.relevance;
          ++trials;
        }
      }
    }
    if (trials == 0) continue;
    means.push_back(
        {fetched, sum.agents / trials, sum.efficiency / trials, sum.relevance / trials});
  }
  return means;
}

ordered_json mean_population_json(const Comparison& comparison, size_t contestant) {
  ordered_json all = ordered_json::array();
  for (const MeanPopulation& at : mean_population(comparison, contestant)) {
    all.push_back({{"fetched", at.fetched},
                   {"agents", at.agents},
                   {"efficiency", at.efficiency},
                   {"relevance", at.relevance}});
  }
  return all;
}

// Agents, the share of targets and the mean similarity to the examples after 50 … 500 pages, of
// strategies that have agents.
std::string population_table(const Comparison& comparison, size_t widest) {
  std::string rows;
  for (const size_t i : by_focus(comparison)) {
    for (const MeanPopulation& at : mean_population(comparison, i)) {
      rows += fmt::format("{:{}}  {:>6}  {:>7.1f}  {:>10.3f}  {:>9.3f}\n",
                          comparison.contestants[i].name, widest, at.fetched, at.agents,
                          at.efficiency, at.relevance);
    }
  }
  if (rows.empty()) return "";
  return fmt::format("\n{:{}}  {:>6}  {:>7}  {:>10}  {:>9}\n", "strategy", widest, "pages",
                     "agents", "efficiency", "relevance") +
         rows;
}

ordered_json trial_json(const Trial& o) {
  return {
      {"found", o.found},
      {"fetched", o.fetched},
      {"area", o.area},
      {"focus", o.focus},
      {"lift", o.lift},
      {"recall", o.recall},
      {"site_recall", o.site_recall},
      {"harvest", o.harvest},
      {"search_length", {or_null(o.to_quarter), or_null(o.to_half), or_null(o.to_three_quarters)}},
      {"predicate", o.predicate},
      {"phrase", o.phrase},
      {"similarity", o.similarity},
      {"similarity_seeds", o.similarity_seeds},
      {"similarity_held_out", o.similarity_held_out},
      {"moving_similarity", o.moving_similarity},
      {"retrieval_rank", o.retrieval_rank},
      {"popularity", o.popularity},
      {"in_links", o.in_links},
      {"population", population_json(o.population)},
      {"per_polite_hour", or_null(o.per_polite_hour)},
      {"robustness", or_null(o.robustness)},
      {"near_precision", or_null(o.near_precision)},
      {"near_recall", or_null(o.near_recall)},
      {"near_share", or_null(o.near_share)},
      {"max_mean_similarity", or_null(o.max_mean_similarity)},
      {"mean_max_similarity", or_null(o.mean_max_similarity)},
      {"advice", advice_json(o.advice)},
      {"verdicts_at_fetch", verdicts_json(o.verdicts_at_fetch)},
      {"verdicts", verdicts_json(o.verdicts)}};
}

ordered_json hmm_json(const SessionModelOptions& o) {
  return {{"states", o.hmm.states},
          {"dimensions", o.hmm.dimensions},
          {"least_clusters", o.hmm.least_clusters},
          {"most_clusters", o.hmm.most_clusters},
          {"smallest_cluster", o.hmm.smallest_cluster},
          {"smoothing", o.hmm.smoothing},
          {"neighbours", o.hmm.neighbours},
          {"sharpness", o.hmm.sharpness},
          {"links", o.all_links ? "all" : "session"},
          {"back_links", o.back_layers},
          {"most", o.most}};
}

ordered_json options_json(const Comparison& comparison) {
  const CompareOptions& o = comparison.options;
  std::vector<std::string> files;
  for (const auto& file : o.web) files.push_back(file.filename().string());
  return {{"web", files},
          {"labels", o.labels.filename().string()},
          {"examples", o.examples},
          {"positives", o.example_count},
          {"words", o.words},
          {"seed_count", o.seed_count},
          {"seed_distance", o.seed_distance},
          {"seeds", o.seeds},
          {"draws", o.draws},
          {"budget", o.budget},
          {"random_seed", o.random_seed},
          {"missing", o.drop_missing ? "drop" : "404"},
          {"delay", format_duration(o.delay)},
          {"latency", format_duration(o.latency)},
          {"connections", o.connections},
          {"extra_draws", o.extra_draws},
          {"sessions", o.sessions.filename().string()},
          {"sessions_per_goal", o.sessions_per_goal},
          {"marks", o.mark_topic ? "topic" : "goals"},
          {"hmm", hmm_json(o.hmm)},
          {"near", o.near}};
}

ordered_json means_json(const Comparison& comparison, size_t contestant) {
  ordered_json means;
  for (const Column& column : columns_of(comparison)) {
    means[std::string(column.name)] = interval_json(comparison.mean(contestant, column.measure));
  }
  return means;
}

ordered_json differences_json(const Comparison& comparison) {
  ordered_json all = ordered_json::array();
  const size_t n = comparison.contestants.size();
  for (size_t a = 0; a < n; ++a) {
    for (size_t b = a + 1; b < n; ++b) {
      ordered_json one = interval_json(comparison.difference(a, b, columns().front().measure));
      one["a"] = comparison.contestants[a].name;
      one["b"] = comparison.contestants[b].name;
      all.push_back(std::move(one));
    }
  }
  return all;
}

std::string dumped(const ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string cell_text(const Interval& mean, const Column& column) {
  return mean.known ? fmt::format("{:.{}f}", mean.mean, column.digits) : "–";
}

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"focus", "area under the curve of targets found, as a fraction of the oracle's", 3, true,
       [](const Trial& o) { return std::optional(o.focus); }},
      {"lift", "the same between breadth-first (0) and the oracle (1)", 3, true,
       [](const Trial& o) { return std::optional(o.lift); }},
      {"recall", "share of the reachable targets found with the whole budget", 3, true,
       [](const Trial& o) { return std::optional(o.recall); }},
      {"site_recall", "share of the hosts with reachable targets of which any page was fetched", 3,
       true, [](const Trial& o) { return std::optional(o.site_recall); }},
      {"harvest", "share of the fetches that brought a target", 3, true,
       [](const Trial& o) { return std::optional(o.harvest); }},
      {"to_half",
       "fetches until half of the reachable targets were found, in crawls that found half", 0,
       false,
       [](const Trial& o) { return o.to_half ? std::optional<double>(*o.to_half) : std::nullopt; }},
      {"per_polite_hour", "targets found in an hour of a polite crawl", 0, true,
       [](const Trial& o) { return o.per_polite_hour; }},
      {"robustness", "overlap of the targets found from two disjoint sets of start pages", 3, true,
       [](const Trial& o) { return o.robustness; }},
      {"predicate", "share of the pages that have the words of the topic's name", 3, true,
       [](const Trial& o) { return std::optional(o.predicate); }},
      {"phrase", "share of the pages that have the words of the topic's name as a phrase", 3, true,
       [](const Trial& o) { return std::optional(o.phrase); }},
      {"similarity_seeds", "mean cosine of the pages to the start pages", 3, true,
       [](const Trial& o) { return std::optional(o.similarity_seeds); }},
      {"similarity", "mean cosine of the pages to the examples", 3, true,
       [](const Trial& o) { return std::optional(o.similarity); }},
      {"similarity_held_out", "mean cosine of the pages to the targets, which no strategy sees", 3,
       true, [](const Trial& o) { return std::optional(o.similarity_held_out); }},
      {"retrieval_rank",
       "mean rank of the pages for a query made of the examples, among all pages that any strategy "
       "fetched: 1 is the best, 0 the worst",
       3, true, [](const Trial& o) { return std::optional(o.retrieval_rank); }},
      {"popularity", "mean PageRank of the pages; 1 is the average page of the web", 2, true,
       [](const Trial& o) { return std::optional(o.popularity); }},
      {"in_links", "mean number of pages that link to the pages; 1 is the average page of the web",
       2, true, [](const Trial& o) { return std::optional(o.in_links); }},
  };
  return all;
}

std::vector<Column> columns_of(const Comparison& comparison) {
  std::vector<Column> all = columns();
  if (comparison.options.sessions.empty()) return all;
  all.push_back({"near_precision",
                 "share of the pages whose cosine to an example, in the space learned from the "
                 "sessions, reaches --near",
                 3, true, [](const Trial& o) { return o.near_precision; }});
  all.push_back({"near_recall",
                 "share of such pages among those that any of the strategies fetched", 3, true,
                 [](const Trial& o) { return o.near_recall; }});
  all.push_back({"near_share", "share of such pages in the sum over all strategies", 3, true,
                 [](const Trial& o) { return o.near_share; }});
  all.push_back({"max_mean_similarity",
                 "the mean cosine of the pages to the example for which it is greatest", 3, true,
                 [](const Trial& o) { return o.max_mean_similarity; }});
  all.push_back({"mean_max_similarity", "the mean of the pages' greatest cosine to an example", 3,
                 true, [](const Trial& o) { return o.mean_max_similarity; }});
  return all;
}

std::vector<size_t> by_focus(const Comparison& comparison) {
  std::vector<double> focus;
  for (size_t i = 0; i < comparison.contestants.size(); ++i) {
    focus.push_back(comparison.mean(i, columns().front().measure).mean);
  }
  std::vector<size_t> order(focus.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return focus[a] > focus[b]; });
  return order;
}

std::string summary_table(const Comparison& comparison) {
  size_t widest = 10;
  for (const Contestant& c : comparison.contestants) widest = std::max(widest, c.name.size());
  std::string text = fmt::format(
      "{:{}}  {:^19}  {:>6}  {:>6}  {:>6}  {:>7}  {:>7}  {:>9}  {:>10}\n", "strategy", widest,
      "focus (95 %)", "lift", "recall", "sites", "harvest", "to half", "per hour", "robustness");
  const auto cell = [&](size_t contestant, std::string_view name) -> std::string {
    for (const Column& column : columns()) {
      if (column.name == name)
        return cell_text(comparison.mean(contestant, column.measure), column);
    }
    return "";
  };
  for (const size_t i : by_focus(comparison)) {
    const Interval focus = comparison.mean(i, columns().front().measure);
    text += fmt::format(
        "{:{}}  {:.3f} ({:.3f}–{:.3f})  {:>6}  {:>6}  {:>6}  {:>7}  {:>7}  {:>9}  {:>10}\n",
        comparison.contestants[i].name, widest, focus.mean, focus.low, focus.high, cell(i, "lift"),
        cell(i, "recall"), cell(i, "site_recall"), cell(i, "harvest"), cell(i, "to_half"),
        cell(i, "per_polite_hour"), cell(i, "robustness"));
  }
  if (!comparison.options.sessions.empty()) {
    text += fmt::format("\n{:{}}  {:>14}  {:>11}  {:>10}  {:>19}  {:>19}\n", "strategy", widest,
                        "near precision", "near recall", "near share", "max mean similarity",
                        "mean max similarity");
    const std::vector<Column> all = columns_of(comparison);
    for (const size_t i : by_focus(comparison)) {
      text += fmt::format("{:{}}", comparison.contestants[i].name, widest);
      size_t width[] = {16, 13, 12, 21, 21};
      for (size_t c = columns().size(); c < all.size(); ++c) {
        text += fmt::format("{:>{}}", cell_text(comparison.mean(i, all[c].measure), all[c]),
                            width[c - columns().size()]);
      }
      text += "\n";
    }
  }
  text += verdict_table(comparison);
  text += population_table(comparison, widest);
  for (const std::string& note : comparison.notes) text += note + "\n";
  if (comparison.held_out_judge) {
    text +=
        "There are no labels: a judge trained on the examples that the strategies did not see "
        "decided which pages are on the topic.\n";
  }
  return text;
}

std::string summary_json(const Comparison& comparison) {
  ordered_json json = {{"judged_by", comparison.held_out_judge ? "held-out judge" : "labels"},
                       {"strategies", ordered_json::array()}};
  for (const size_t i : by_focus(comparison)) {
    ordered_json one = {{"name", comparison.contestants[i].name},
                        {"mean", means_json(comparison, i)}};
    if (ordered_json population = mean_population_json(comparison, i); !population.empty()) {
      one["population"] = std::move(population);
    }
    json["strategies"].push_back(std::move(one));
  }
  json["verdicts"] = verdict_json(comparison);
  return dumped(json, -1);
}

std::string results_json(const Comparison& comparison) {
  ordered_json json = {{"format", "dowser-comparison 1"},
                       {"options", options_json(comparison)},
                       {"judged_by", comparison.held_out_judge ? "held-out judge" : "labels"},
                       {"pages", comparison.pages},
                       {"links", comparison.links},
                       {"labels_not_in_web", comparison.missing_labels},
                       {"points", comparison.points}};
  for (size_t i = 0; i < comparison.contestants.size(); ++i) {
    const Contestant& c = comparison.contestants[i];
    json["strategies"].push_back({{"name", c.name},
                                  {"strategy", c.strategy},
                                  {"judge", c.judge},
                                  {"mean", means_json(comparison, i)}});
  }
  json["verdicts"] = verdict_json(comparison);
  json["differences_of_focus"] = differences_json(comparison);
  for (const ComparedTopic& topic : comparison.topics) {
    ordered_json runs = ordered_json::array();
    for (size_t i = 0; i < topic.trials.size(); ++i) {
      for (size_t draw = 0; draw < topic.trials[i].size(); ++draw) {
        ordered_json run = {{"strategy", comparison.contestants[i].name}, {"draw", draw}};
        run.update(trial_json(topic.trials[i][draw]));
        runs.push_back(std::move(run));
      }
    }
    json["topics"].push_back({{"name", topic.name},
                              {"pages", topic.pages},
                              {"reachable", topic.reachable},
                              {"seed_distance", topic.distance},
                              {"runs", std::move(runs)}});
  }
  return dumped(json, 1);
}

}  // namespace dowser
