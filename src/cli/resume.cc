#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/crawl_driver.h"
#include "cli/crawl_settings.h"

namespace dowser {
namespace {

// What may be other than before. Strategy and web may not: it would be another crawl.
constexpr std::string_view kChangeable[] = {
    "max-pages",   "max-time",        "max-depth",     "max-per-host",   "delay",
    "connections", "host-gap",        "deny",          "only-host",      "only-domain",
    "contact",     "max-per-address", "user-agent",    "only-path",      "allow-host",
    "resolve",     "metrics",         "metrics-token", "stop-at-recall", "stop-at-harvest",
    "topic",       "example",         "not-example",   "threshold",      "judge",
};

}  // namespace

int resume_command(CommandLine line) {
  Arguments arguments("resume",
                      "Goes on with a crawl that was stopped or killed, or came to a limit.",
                      "dowser resume birds --max-pages 2000");
  std::string folder;
  GivenSettings given;
  bool json = false, accept_loss = false;
  arguments.word("DIR", "the folder of the crawl", &folder);
  given.declare(arguments, kChangeable);
  arguments.flag(
      "accept-loss",
      "go on where the state, the catalogue and the archive agree, also where one of them "
      "lost more than a crash explains; what lies behind is set aside in DIR/set-aside",
      &accept_loss);
  arguments.flag("json", "print one JSON object on standard output and nothing else there", &json);
  arguments.note(
      "Pages named with --example and --not-example are added to those that the crawl has: judge "
      "and frontier follow, and the pages are labelled 'useful' and 'useless' in the catalogue.");
  arguments.note("Settings are those of DIR/crawl.toml, where these options do not say otherwise.");
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
  if (Status s = check_settings(*config); !s) return fail("resume", s.error(), kUsage);
  return drive_crawl("resume", *config, json,
                     [&](const auto& observer, const auto& should_stop, RunOptions options) {
                       options.accept_loss = accept_loss;
                       return resume_crawl(*config, observer, should_stop, options);
                     });
}

}  // namespace dowser
