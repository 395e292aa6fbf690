#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/crawl_settings.h"
#include "cli/interrupt.h"
#include "cli/print_json.h"
#include "cli/progress.h"
#include "cli/senses.h"
#include "run/run.h"

namespace dowser {
namespace {

constexpr std::string_view kChangeable[] = {"threshold",   "topic", "example",
                                            "not-example", "judge", "model"};

void print_as_json(const CrawlConfig& config, const RunResult& result) {
  const nlohmann::ordered_json json = {{"fetched", result.counters.fetched},
                                       {"relevant", result.counters.relevant},
                                       {"doubtful", result.doubtful},
                                       {"verdicts_changed", result.changed},
                                       {"senses", senses_json(result)},
                                       {"hints", result.counters.hints},
                                       {"seconds", result.seconds},
                                       {"out", config.out},
                                       {"report", result.report}};
  print_json(json);
}

void print_summary(const CrawlConfig& config, const RunResult& result) {
  const CrawlCounters& c = result.counters;
  fmt::print(
      "{} pages judged again in {:.1f} s: {} relevant ({:.1f} %), {} verdicts differ from those "
      "before\n",
      c.fetched, result.seconds, c.relevant, 100 * c.harvest_rate(), result.changed);
  if (result.doubtful > 0) {
    fmt::print("doubtful: {} more pages, labelled so in the catalogue\n", result.doubtful);
  }
  for (const std::string& hint : result.counters.hints) fmt::print("{}\n", hint);
  print_senses(config, result);
  fmt::print("catalogue and report in {} are up to date: open {}\n", config.out, result.report);
}

}  // namespace

int rejudge_command(CommandLine line) {
  Arguments arguments(
      "rejudge", "Judges all pages of a crawl again, using its archive. Nothing is fetched.",
      "dowser rejudge birds --not-example http://schools-wikipedia.org/wp/b/Bat.htm");
  std::string folder, sense;
  GivenSettings given;
  bool json = false;
  arguments.word("DIR", "the folder of the crawl", &folder);
  given.declare(arguments, kChangeable);
  declare_sense(arguments, &sense);
  arguments.flag("json", "print one JSON object, and nothing else, on standard output", &json);
  arguments.note(
      "All other settings are those that the crawl was started with (DIR/crawl.toml); the options "
      "given here are stored there. Pages named with --example and --not-example are added to "
      "those "
      "that the crawl has, and the catalogue labels them 'useful' and 'useless'.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;

  Result<CrawlConfig> config = config_of(folder);
  if (!config) return fail("rejudge", config.error());
  const CrawlConfig before = *config;
  given.apply(*config);
  add_to_lists(before, *config);
  if (const auto code = choose_sense("rejudge", folder, sense, *config)) return *code;
  std::string model;
  if (given.has("model")) {
    Result<std::string> text = read_file(config->model, kLargestData);
    if (!text) return fail("rejudge", text.error());
    model = std::move(*text);
    if (!given.has("judge")) config->judge.clear();  // that of the model
  }
  if (Status s = check_settings(*config); !s) return fail("rejudge", s.error(), kUsage);
  stop_gently();
  ProgressLine progress;
  const Result<RunResult> result =
      rejudge_crawl(*config, model, [&](const Progress& done) { return progress.watch(done); });
  progress.clear();
  if (!result) return fail_or_stop("rejudge", result.error(), "the verdicts are unchanged");
  json ? print_as_json(*config, *result) : print_summary(*config, *result);
  return kDone;
}

}  // namespace dowser
