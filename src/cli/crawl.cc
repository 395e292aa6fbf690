#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "engine/plugins.h"
#include "engine/run.h"

namespace dowser {
namespace {

volatile std::sig_atomic_t interrupted = 0;

// The first Ctrl-C lets the page in hand finish and everything be written; the second ends at once.
void on_interrupt(int signal) {
  if (interrupted) _exit(kInterrupted);
  interrupted = signal;
}

// How the crawl goes, on standard error: one line that changes on a terminal, a line every ten
// seconds elsewhere.
class ProgressLine {
 public:
  void show(const CrawlCounters& counters, int64_t max_pages) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < (terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10)))
      return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double rate = static_cast<double>(counters.fetched) / std::max(seconds, 1e-3);
    const double left =
        (static_cast<double>(max_pages) - static_cast<double>(counters.fetched)) / rate;
    fmt::print(stderr,
               "{}{} of {} pages, {:.0f}/s, {} relevant ({:.0f} %), {} waiting, {} failed, {:.0f} "
               "s left{}",
               terminal_ ? "\r" : "", counters.fetched, max_pages, rate, counters.relevant,
               100 * counters.harvest_rate(), counters.waiting, counters.failed, left,
               terminal_ ? "\033[K" : "\n");
  }
  void clear() const {
    if (terminal_) fmt::print(stderr, "\r\033[K");
  }

 private:
  const bool terminal_ = isatty(STDERR_FILENO) != 0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_ = start_;
};

std::string names(const auto& plugins, std::string_view title) {
  std::string text = fmt::format("{}:\n", title);
  for (const auto& plugin : plugins)
    text += fmt::format("  {:<15}{}\n", plugin.name, plugin.summary);
  text.pop_back();
  return text;
}

// Options are kept until the configuration file was read, so that they win over it wherever they
// stand.
struct Given {
  const Setting* setting;
  std::string value;
};

void declare(Arguments& arguments, std::vector<Given>& given) {
  for (const Setting& setting : settings()) {
    const auto set = [&](std::string_view value) -> Status {
      CrawlConfig scratch;
      if (Status s = setting.set(scratch, value); !s) return s;
      given.push_back({&setting, std::string(value)});
      return {};
    };
    std::string help = setting.help;
    const auto standard = setting.get(CrawlConfig{});
    if (setting.kind != SettingKind::kList && !standard.empty() &&
        help.find("(0:") == std::string::npos && help.find("(default") == std::string::npos) {
      help += fmt::format(" (default {})", standard.front());
    }
    if (setting.kind == SettingKind::kList) {
      arguments.list(setting.name, setting.placeholder, help, set);
    } else {
      arguments.option(setting.name, setting.placeholder, help, set);
    }
  }
}

// A list on the command line replaces that of the file.
void set_given(const std::vector<Given>& given, CrawlConfig& config) {
  for (const Given& g : given) {
    if (g.setting->name == "seed") config.seeds.clear();
    if (g.setting->name == "example") config.examples.clear();
    if (g.setting->name == "web") config.web.clear();
    if (g.setting->name == "allow-host") config.allow_hosts.clear();
    if (g.setting->name == "resolve") config.resolve.clear();
  }
  for (const Given& g : given) (void)g.setting->set(config, g.value);  // was checked in declare()
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
                                       {"links", c.links},
                                       {"missing", c.missing},
                                       {"waiting", c.waiting},
                                       {"hosts", c.hosts},
                                       {"bytes", c.bytes},
                                       {"report", result.report},
                                       {"curve", curve}};
  fmt::print("{}\n", json.dump());
}

void print_summary(const CrawlConfig& config, const RunResult& result) {
  const CrawlCounters& c = result.counters;
  if (interrupted) fmt::print("stopped before its end; what it had is kept: ");
  fmt::print(
      "{} pages fetched in {:.1f} s, {} relevant ({:.1f} %), {} failed, {} links still waiting\n",
      c.fetched, result.seconds, c.relevant, 100 * c.harvest_rate(), c.failed, c.waiting);
  for (const auto& [fetched, relevant] : result.curve) {
    fmt::print("  after {:>6} fetches {:>6} relevant\n", fetched, relevant);
  }
  fmt::print("archive, catalogue and report are in {}: open {}\n", config.out, result.report);
}

}  // namespace

int crawl_command(CommandLine line) {
  Arguments arguments(
      "crawl", "Collects the relevant part of a web, most relevant first.",
      "dowser crawl --web schools.warc.gz --seed http://schools-wikipedia.org/wp/e/Europe.htm "
      "--topic \"bird species feather nest wing\" --max-pages 500 --out birds");
  std::vector<Given> given;
  std::string config_file;
  bool json = false;
  declare(arguments, given);
  arguments.option("config", "FILE.toml", "settings of the same names; options win over them",
                   &config_file);
  arguments.flag("json", "print one JSON object on standard output and nothing else there", &json);
  arguments.note(names(strategy_plugins(), "Strategies (--strategy)"));
  arguments.note(names(judge_plugins(), "Judges (--judge)"));
  if (const auto code = parse_or_exit(arguments, line)) return *code;

  CrawlConfig config;
  if (!config_file.empty()) {
    if (Status s = read_config(config_file, config); !s) return fail("crawl", s.error(), kUsage);
  }
  set_given(given, config);
  if (Status s = check_settings(config); !s) return fail("crawl", s.error(), kUsage);

  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  ProgressLine progress;
  const auto show = [&](const Visit&, const CrawlCounters& counters) {
    progress.show(counters, config.max_pages);
    return true;
  };
  const Result<RunResult> result = run_crawl(config, show, [] { return interrupted != 0; });
  progress.clear();
  if (!result) return fail("crawl", result.error());
  json ? print_json(config, *result) : print_summary(config, *result);
  return interrupted ? kInterrupted : kDone;
}

}  // namespace dowser
