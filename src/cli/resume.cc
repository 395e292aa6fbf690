#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/crawl_driver.h"
#include "cli/crawl_settings.h"
#include "cli/senses.h"

namespace dowser {
namespace {

// What may be other than before. Strategy and web may not: it would be another crawl.
constexpr std::string_view kChangeable[] = {
    "max-pages",       "max-time",      "max-depth",       "max-per-host",   "max-per-site",
    "max-url-length",  "max-page-size", "connect-timeout", "answer-timeout", "timeout",
    "delay",           "connections",   "host-gap",        "deny",           "only-host",
    "only-domain",     "contact",       "max-per-address", "user-agent",     "only-path",
    "allow-host",      "resolve",       "metrics",         "metrics-token",  "stop-at-recall",
    "stop-at-harvest", "topic",         "example",         "not-example",    "threshold",
    "judge",           "max-relevant",
};

}  // namespace

int resume_command(CommandLine line) {
  Arguments arguments("resume",
                      "Resumes a crawl that was stopped or killed, or that reached a limit.",
                      "dowser resume birds --max-pages 2000");
  std::string folder, sense;
  GivenSettings given;
  bool json = false, accept_loss = false;
  arguments.word("DIR", "the folder of the crawl", &folder);
  given.declare(arguments, kChangeable);
  declare_sense(arguments, &sense);
  arguments.flag(
      "accept-loss",
      "resume even if the state, the catalogue or the archive has lost more than a crash can "
      "explain: go back to the last page that all three hold and move the rest to DIR/set-aside",
      &accept_loss);
  arguments.flag("json", "print one JSON object, and nothing else, on standard output", &json);
  arguments.note(
      "Pages named with --example and --not-example are added to those that the crawl has: the "
      "judge "
      "learns from them, the waiting links are reordered, and the catalogue labels the pages "
      "'useful' and 'useless'.");
  arguments.note("All other settings are those that the crawl was started with (DIR/crawl.toml).");
  if (const auto code = parse_or_exit(arguments, line)) return *code;

  Result<CrawlConfig> config = config_of(folder);
  if (!config) return fail("resume", config.error());
  // What is wrong before any option is applied is wrong in the file.
  if (Status s = check_settings(*config); !s) {
    return fail("resume",
                Error{fmt::format("{}/crawl.toml is damaged: {}; nothing was changed: put "
                                  "it back as it was and try again",
                                  folder, s.error().message)});
  }
  const CrawlConfig before = *config;
  given.apply(*config);
  add_to_lists(before, *config);
  if (const auto code = choose_sense("resume", folder, sense, *config)) return *code;
  if (Status s = check_settings(*config); !s) return fail("resume", s.error(), kUsage);
  return drive_crawl("resume", *config, json,
                     [&](const CrawlEvents& events, const auto& should_stop) {
                       return resume_crawl(*config, events, should_stop, accept_loss);
                     });
}

}  // namespace dowser
