#include "cli/crawl_driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/progress.h"
#include "serve/metrics.h"

namespace dowser {
namespace {

volatile std::sig_atomic_t interrupted = 0;

// The first Ctrl-C lets what is on its way arrive and everything be written; the second ends at
// once, which loses no more than kill -9 would.
void on_interrupt(int signal) {
  if (interrupted) _exit(kInterrupted);
  interrupted = signal;
}

nlohmann::ordered_json advice_json(const CrawlCounters& c) {
  if (!c.advice) return {};
  const Advice& a = *c.advice;
  nlohmann::ordered_json json = {{"found", a.found},         {"can_tell", a.can_tell()},
                                 {"remaining", a.remaining}, {"low", a.low},
                                 {"high", a.high},           {"next_thousand", a.next_thousand},
                                 {"next_low", a.next_low},   {"next_high", a.next_high},
                                 {"recall", a.recall()},     {"least_recall", a.least_recall()}};
  if (!c.enough.empty()) json["stopped"] = c.enough;
  return json;
}

void print_json(const CrawlConfig& config, const RunResult& result) {
  nlohmann::ordered_json curve = nlohmann::json::array();
  for (const auto& [fetched, relevant] : result.curve) curve.push_back({fetched, relevant});
  const CrawlCounters& c = result.counters;
  const nlohmann::ordered_json json = {{"fetched", c.fetched},
                                       {"relevant", c.relevant},
                                       {"harvest_rate", c.harvest_rate()},
                                       {"seconds", result.seconds},
                                       {"out", config.out},
                                       {"failed", c.failed},
                                       {"disallowed", c.disallowed},
                                       {"redirected", c.redirected},
                                       {"near_duplicates", c.near_duplicates},
                                       {"soft_404", c.soft_404},
                                       {"truncated", c.truncated},
                                       {"unchanged", c.unchanged},
                                       {"retried", c.retried},
                                       {"hosts_given_up", c.given_up},
                                       {"links", c.links},
                                       {"waiting", c.waiting},
                                       {"hosts", c.hosts},
                                       {"bytes", c.bytes},
                                       {"failures", c.failures},
                                       {"statuses", c.statuses},
                                       {"refused", c.refused},
                                       {"advice", advice_json(c)},
                                       {"hints", c.hints},
                                       {"report", result.report},
                                       {"curve", curve}};
  fmt::print("{}\n", json.dump());
}

void print_table(std::string_view title, const CrawlCounters::ByName& names) {
  if (names.empty()) return;
  fmt::print("  {}:", title);
  for (const auto& [name, count] : names) fmt::print(" {} {}", name, count);
  fmt::print("\n");
}

void print_summary(const CrawlConfig& config, const RunResult& result) {
  const CrawlCounters& c = result.counters;
  if (interrupted) fmt::print("stopped before its end; what it had is kept: ");
  if (!c.enough.empty()) fmt::print("stopped, since {}: ", c.enough);
  fmt::print(
      "{} pages fetched in {:.1f} s, {} relevant ({:.1f} %), {} failed, {} links still waiting\n",
      c.fetched, result.seconds, c.relevant, 100 * c.harvest_rate(), c.failed, c.waiting);
  for (const auto& [fetched, relevant] : result.curve) {
    fmt::print("  after {:>6} fetches {:>6} relevant\n", fetched, relevant);
  }
  if (c.near_duplicates > 0) fmt::print("  pages that repeat others: {}\n", c.near_duplicates);
  if (c.soft_404 > 0) fmt::print("  'not found' with status 200: {}\n", c.soft_404);
  if (c.given_up > 0) fmt::print("  hosts that cannot be asked: {}\n", c.given_up);
  if (c.disallowed > 0) fmt::print("  forbidden by robots.txt: {}\n", c.disallowed);
  print_table("without an answer", c.failures);
  print_table("links not followed", c.refused);
  if (c.advice) fmt::print("{}\n", recommendation(*c.advice));
  for (const std::string& hint : c.hints) fmt::print("{}\n", hint);
  fmt::print("archive, catalogue and report are in {}: open {}\n", config.out, result.report);
  if (!interrupted && c.waiting == 0) return;
  fmt::print("go on with  dowser resume {}", config.out);
  if (!c.enough.empty() && config.stop_at_recall) fmt::print(" --stop-at-recall 0");
  if (!c.enough.empty() && config.stop_at_harvest) fmt::print(" --stop-at-harvest 0");
  fmt::print("\n");
}

}  // namespace

int drive_crawl(std::string_view command, const CrawlConfig& config, bool json, const RunIt& run) {
  std::unique_ptr<Metrics> metrics;
  if (!config.metrics.empty()) {
    auto started = Metrics::start(config.metrics, config.metrics_token);
    if (!started) return fail(command, started.error(), kUsage);
    metrics = std::move(*started);
    metrics->publish({}, 0);
    // Who gave a token knows it, and it need not come into logs.
    print_to_stderr(fmt::format("metrics at http://{}/metrics{}\n", metrics->address().to_string(),
                                config.metrics_token.empty() ? "?token=" + metrics->token() : ""));
  }
  // A reader of our output that goes away (| head) does not end the crawl.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  Clock::time_point published = start;
  ProgressLine progress(config.max_pages);
  const auto show = [&](const Visit& visit, const CrawlCounters& counters) {
    progress.visit(visit, counters);
    const Clock::time_point now = Clock::now();
    if (metrics && now - published > std::chrono::milliseconds(200)) {
      published = now;
      metrics->publish(counters, std::chrono::duration<double>(now - start).count());
    }
    return true;
  };
  RunOptions options;
  options.notice = [&](const std::string& sentence) {
    progress.clear();
    print_to_stderr(fmt::format("dowser {}: {}\n", command, sentence));
  };
  const auto should_stop = [&] {
    progress.tick();
    return interrupted != 0;
  };
  const Result<RunResult> result = run(show, should_stop, options);
  progress.clear();
  if (!result) return fail(command, result.error());
  json ? print_json(config, *result) : print_summary(config, *result);
  return interrupted ? kInterrupted : kDone;
}

}  // namespace dowser
