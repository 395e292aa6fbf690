#include <fmt/format.h>

#include <mutex>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/crawl_settings.h"
#include "cli/work_progress.h"
#include "run/run.h"

namespace dowser {
namespace {

constexpr std::string_view kChangeable[] = {"threshold",   "topic", "example",
                                            "not-example", "judge", "model"};

void print_json(const CrawlConfig& config, const RunResult& result) {
  const nlohmann::ordered_json json = {{"fetched", result.counters.fetched},
                                       {"relevant", result.counters.relevant},
                                       {"verdicts_changed", result.changed},
                                       {"seconds", result.seconds},
                                       {"out", config.out},
                                       {"report", result.report}};
  fmt::print("{}\n", json.dump());
}

void print_summary(const CrawlConfig& config, const RunResult& result) {
  const CrawlCounters& c = result.counters;
  fmt::print(
      "{} pages judged again in {:.1f} s: {} relevant ({:.1f} %), {} verdicts are others than "
      "before\n",
      c.fetched, result.seconds, c.relevant, 100 * c.harvest_rate(), result.changed);
  fmt::print("catalogue and report in {} are up to date: open {}\n", config.out, result.report);
}

}  // namespace

int rejudge_command(CommandLine line) {
  Arguments arguments(
      "rejudge",
      "Judges all pages of a crawl again, from what its archive holds. Nothing is "
      "fetched.",
      "dowser rejudge birds --not-example http://schools-wikipedia.org/wp/b/Bat.htm");
  std::string folder;
  GivenSettings given;
  bool json = false;
  arguments.word("DIR", "the folder of the crawl", &folder);
  given.declare(arguments, kChangeable);
  arguments.flag("json", "print one JSON object on standard output and nothing else there", &json);
  arguments.note(
      "Settings are those of DIR/crawl.toml, where these options do not say otherwise, and are "
      "kept "
      "there. Examples and counter-examples are added to those that the crawl has; the pages are "
      "labelled 'useful' and 'useless' in the catalogue. Running it again changes nothing.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;

  Result<CrawlConfig> config = config_of(folder);
  if (!config) return fail("rejudge", config.error());
  const CrawlConfig before = *config;
  given.apply(*config);
  add_to_lists(before, *config);
  RunOptions options;
  if (config->model != before.model || given.has("model")) {
    Result<std::string> text = read_file(config->model);
    if (!text) return fail("rejudge", text.error());
    options.model = std::move(*text);
    if (!given.has("judge")) config->judge.clear();  // the model's
  }
  if (Status s = check_config(*config); !s) return fail("rejudge", s.error(), kUsage);
  options.notice = [](const std::string& sentence) {
    print_to_stderr(fmt::format("dowser rejudge: {}\n", sentence));
  };
  std::mutex mutex;
  WorkProgress progress("pages judged again");
  options.judging = [&](size_t done, size_t of) {
    const std::lock_guard lock(mutex);
    progress.tell(done, of);
  };
  const Result<RunResult> result = rejudge_crawl(*config, options);
  if (!result) return fail("rejudge", result.error());
  json ? print_json(*config, *result) : print_summary(*config, *result);
  return kDone;
}

}  // namespace dowser
