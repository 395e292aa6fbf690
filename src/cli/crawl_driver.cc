#include "cli/crawl_driver.h"

#include <fmt/format.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/crawl_progress.h"
#include "cli/interrupt.h"
#include "cli/option_values.h"
#include "cli/print_json.h"
#include "cli/senses.h"
#include "serve/metrics.h"

namespace dowser {
namespace {

nlohmann::ordered_json advice_json(const CrawlCounters& c) {
  if (!c.advice) return {};
  const Advice& a = *c.advice;
  nlohmann::ordered_json json = {{"found", a.found},         {"can_tell", a.can_tell()},
                                 {"remaining", a.remaining}, {"low", a.low},
                                 {"high", a.high},           {"next_thousand", a.next_thousand},
                                 {"next_low", a.next_low},   {"next_high", a.next_high},
                                 {"recall", a.recall()},     {"least_recall", a.least_recall()},
                                 {"sites", a.sites}};
  if (!c.enough.empty()) json["stopped"] = c.enough;
  return json;
}

void print_as_json(const CrawlConfig& config, const RunResult& result) {
  const CrawlCounters& c = result.counters;
  nlohmann::ordered_json json;
  for (const CounterInfo& counter : counter_list()) {
    if (!counter.name.empty()) json[counter.name] = c.*counter.value;
  }
  for (const NamedCounterInfo& counter : named_counter_list()) {
    json[counter.name] = c.*counter.values;
  }
  json["harvest_rate"] = c.harvest_rate();
  json["seconds"] = result.seconds;
  json["out"] = config.out;
  json["advice"] = advice_json(c);
  json["hints"] = c.hints;
  json["verdicts_changed"] = result.changed;
  json["doubtful"] = result.doubtful;
  json["senses"] = senses_json(result);
  json["report"] = result.report;
  nlohmann::ordered_json& curve = json["curve"] = nlohmann::json::array();
  for (const auto& [fetched, relevant] : result.curve) curve.push_back({fetched, relevant});
  print_json(json);
}

void print_table(std::string_view title, const CrawlCounters::ByName& names) {
  if (names.empty()) return;
  fmt::print("  {}:", title);
  for (const auto& [name, count] : names) fmt::print(" {} {}", name, count);
  fmt::print("\n");
}

bool has_found_all(const CrawlConfig& config, const CrawlCounters& c) {
  return config.max_relevant > 0 && c.relevant >= static_cast<size_t>(config.max_relevant);
}

void print_summary(const CrawlConfig& config, const RunResult& result) {
  const CrawlCounters& c = result.counters;
  if (interrupted()) fmt::print("stopped by the user; everything up to here is stored: ");
  if (!c.enough.empty()) fmt::print("stopped because {}: ", c.enough);
  const bool has_all = has_found_all(config, c);
  if (has_all) fmt::print("stopped because of --max-relevant {}: ", config.max_relevant);
  fmt::print(
      "{} pages fetched in {:.1f} s, {} relevant ({:.1f} %), {} failed, {} links still waiting\n",
      c.fetched, result.seconds, c.relevant, 100 * c.harvest_rate(), c.failed, c.waiting);
  for (const auto& [fetched, relevant] : result.curve) {
    fmt::print("  after {:>6} fetches {:>6} relevant\n", fetched, relevant);
  }
  if (c.relevant == 0 && config.strategy.starts_with("intel-crawl")) {
    fmt::print(
        "  no page is relevant, so no link was followed: choose seeds on the topic (check them "
        "with  "
        "dowser\n  judge PAGE --model LIBRARY), or another strategy\n");
  }
  if (result.changed > 0) {
    fmt::print("  judged again at the end: {} verdicts differ from those at fetch\n",
               result.changed);
  }
  if (result.doubtful > 0) {
    fmt::print("  doubtful: {} more pages, labelled so in the catalogue\n", result.doubtful);
  }
  if (c.near_duplicates > 0)
    fmt::print("  near duplicates of other pages: {}\n", c.near_duplicates);
  if (c.soft_404 > 0) fmt::print("  'not found' with status 200: {}\n", c.soft_404);
  if (c.given_up > 0) fmt::print("  hosts given up: {}\n", c.given_up);
  if (c.disallowed > 0) fmt::print("  forbidden by robots.txt: {}\n", c.disallowed);
  print_table("without an answer", c.failures);
  print_table("links not followed", c.refused);
  if (c.advice) fmt::print("{}\n", recommendation(*c.advice));
  for (const std::string& hint : c.hints) fmt::print("{}\n", hint);
  print_senses(config, result);
  fmt::print("archive, catalogue and report are in {}: open {}\n", config.out, result.report);
  if (!interrupted() && c.waiting == 0) return;
  fmt::print("continue with  dowser resume {}", config.out);
  if (has_all) fmt::print(" --max-relevant 0");
  if (!c.enough.empty() && config.stop_at_recall) fmt::print(" --stop-at-recall 0");
  if (!c.enough.empty() && config.stop_at_harvest) fmt::print(" --stop-at-harvest 0");
  fmt::print("\n");
}

}  // namespace

int drive_crawl(std::string_view command, const CrawlConfig& config, bool json, const RunIt& run) {
  std::unique_ptr<Metrics> metrics;
  CrawlEvents events;
  if (!config.metrics.empty()) {
    auto started = Metrics::start(config.metrics, config.metrics_token);
    if (!started) return fail(command, started.error(), kUsage);
    metrics = std::move(*started);
    events.subscribe([&](const CrawlEvent& event) { metrics->observe(event); });
    // Who gave a token knows it, and it need not come into logs.
    print_to_stderr(fmt::format("metrics at http://{}/metrics{}\n", metrics->address().to_string(),
                                config.metrics_token.empty() ? "?token=" + metrics->token() : ""));
  }
  CrawlProgress progress{std::string(command), config.max_pages};
  events.subscribe([&](const CrawlEvent& event) { progress.observe(event); });
  // A reader of our output that goes away (| head) does not end the crawl.
  std::signal(SIGPIPE, SIG_IGN);
  stop_gently();
  const auto should_stop = [&] {
    progress.tick();
    return interrupted();
  };
  const Result<RunResult> result = run(events, should_stop);
  progress.clear();
  if (!result) return fail(command, result.error());
  json ? print_as_json(config, *result) : print_summary(config, *result);
  return interrupted() ? kInterrupted : kDone;
}

}  // namespace dowser
