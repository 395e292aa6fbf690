#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/crawl_driver.h"
#include "cli/crawl_settings.h"
#include "engine/plugins.h"
#include "run/crawl_again.h"

namespace dowser {
namespace {

std::string names(const auto& plugins, std::string_view title) {
  std::string text = fmt::format("{}:\n", title);
  for (const auto& plugin : plugins)
    text += fmt::format("  {:<14} {}\n", plugin.name, plugin.summary);
  text.pop_back();
  return text;
}

}  // namespace

int crawl_command(CommandLine line) {
  Arguments arguments(
      "crawl", "Collects the relevant part of a web, most relevant first.",
      "dowser crawl --web schools.warc.gz --seed http://schools-wikipedia.org/wp/e/Europe.htm "
      "--topic \"bird species feather nest wing\" --max-pages 500 --out birds");
  GivenSettings given;
  std::string config_file, again;
  bool json = false;
  given.declare(arguments);
  arguments.option(
      "config", "FILE.toml",
      "read settings from this file; they have the same names as the options, which override them",
      &config_file);
  arguments.option("again", "DIR",
                   "repeat an earlier crawl with its settings, unless options override them: fetch "
                   "the pages that it found again, then follow new links (see dowser diff)",
                   &again);
  arguments.flag("json", "print one JSON object, and nothing else, on standard output", &json);
  arguments.note(names(strategy_plugins(), "Strategies (--strategy)"));
  arguments.note(names(judge_plugins(), "Judges (--judge)"));
  if (const auto code = parse_or_exit(arguments, line)) return *code;

  CrawlConfig config;
  if (!again.empty()) {
    Result<CrawlConfig> earlier = config_to_crawl_again(again);
    if (!earlier) return fail("crawl", earlier.error());
    config = std::move(*earlier);
  }
  if (!config_file.empty()) {
    if (Status s = read_config(config_file, config); !s) return fail("crawl", s.error(), kUsage);
  }
  given.apply(config);
  if (Status s = check_settings(config); !s) return fail("crawl", s.error(), kUsage);
  return drive_crawl("crawl", config, json,
                     [&](const CrawlEvents& events, const auto& should_stop) {
                       return run_crawl(config, events, should_stop);
                     });
}

}  // namespace dowser
