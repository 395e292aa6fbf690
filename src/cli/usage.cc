#include "mine/usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/clock.h"
#include "base/file.h"
#include "base/new_file.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "mine/export_sessions.h"
#include "report/usage_report.h"
#include "run/own_places.h"

namespace dowser {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct Given {
  UsageOptions options;
  std::vector<std::string> logs, offsets;
  std::string out, sessions;
  size_t top = 100;
  bool json = false;
};

Arguments::Set seconds(int64_t* value, std::string name) {
  return [=](std::string_view text) -> Status {
    const Result<Duration> duration = parse_duration(text);
    if (!duration || duration->count() < 0) {
      return Error{fmt::format("--{} must be a time such as 90s or 10m, not '{}'", name, text)};
    }
    *value = std::chrono::duration_cast<std::chrono::seconds>(*duration).count();
    return {};
  };
}

// "a=b" at its first or last '='.
Result<NamedPattern> named(std::string_view text, bool name_first, std::string_view option) {
  const size_t at = name_first ? text.find('=') : text.rfind('=');
  if (at == text.npos || at == 0 || at + 1 == text.size()) {
    return Error{fmt::format("--{} needs {}, not '{}'", option,
                             name_first ? "NAME=PATTERN" : "PATTERN=NAME", text)};
  }
  NamedPattern pattern{std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
  if (name_first) std::swap(pattern.pattern, pattern.name);
  return pattern;
}

Status set_keep(KeepOptions& keep, std::string_view what) {
  if (what == "assets") {
    keep.assets = true;
  } else if (what == "errors") {
    keep.errors = true;
  } else if (what == "robot-agents") {
    keep.robot_agents = true;
  } else if (what == "robot-behaviour") {
    keep.robot_behaviour = true;
  } else {
    return Error{fmt::format(
        "--keep takes assets, errors, robot-agents or robot-behaviour, not '{}'", what)};
  }
  return {};
}

Status set_rule(SessionRules& rules, std::string_view text) {
  const size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  std::optional<int64_t>* rule = name == "total"      ? &rules.total
                                 : name == "stay"     ? &rules.stay
                                 : name == "referrer" ? &rules.referrer
                                                      : nullptr;
  if (!rule) {
    return Error{
        fmt::format("--session takes total=TIME, stay=TIME or referrer=TIME, not '{}'", text)};
  }
  int64_t value = name == "total" ? 1800 : name == "stay" ? 600 : 10;
  if (equals != text.npos) {
    if (Status s = seconds(&value, "session " + std::string(name))(text.substr(equals + 1)); !s) {
      return s;
    }
  }
  *rule = value;
  return {};
}

void declare(Arguments& arguments, Given& given) {
  UsageOptions& o = given.options;
  arguments.words("LOG", "log files of one server or several, plain or gzip; - is standard input",
                  &given.logs);
  arguments.option("format", "FORMAT",
                   "common, combined, vhost, w3c, or a format string of Apache or nginx (default: "
                   "recognised from the first lines)",
                   [&](std::string_view text) -> Status {
                     o.format = text;
                     const Result<LogFormat> format = LogFormat::parse(text);
                     return format ? Status{} : format.error();
                   });
  arguments.list(
      "site", "HOST",
      "host names of the site, as they appear in referrers (default: the most frequent one)",
      &o.sites);
  arguments.list(
      "offset", "LOG=TIME",
      "correct the clock of the server that wrote a log by this time, such as b.log=-90s",
      &given.offsets);
  arguments.option("window", "TIME",
                   "largest time by which lines may be out of order (default 60s)",
                   seconds(&o.window, "window"));
  arguments.list("keep", "WHAT",
                 "keep requests that would otherwise be removed: assets, errors, robot-agents, "
                 "robot-behaviour",
                 [&](std::string_view what) { return set_keep(o.keep, what); });
  arguments.list("asset", "PATTERN",
                 "more addresses to treat as parts of pages, like pictures and style sheets",
                 &o.pages.assets);
  arguments.list("view", "PATTERN=NAME",
                 "count these addresses as one page, such as '/product/*=product'",
                 [&](std::string_view text) -> Status {
                   const auto view = named(text, false, "view");
                   if (view) o.pages.views.push_back(*view);
                   return view ? Status{} : view.error();
                 });
  arguments.option("cookie", "NAME", "the cookie that identifies a visitor (default: all cookies)",
                   &o.cookie);
  arguments.list("session", "RULE",
                 "when a session ends: total=30m after its start, stay=10m after the last request, "
                 "referrer=10s after the last request if the referrer does not belong to the "
                 "session; if several rules are given, the first that applies (default stay=10m)",
                 [&](std::string_view text) { return set_rule(o.rules, text); });
  arguments.list("web", "FILE|DIR",
                 "an archive, or the folder of a crawl, with the pages and links of the site",
                 &o.web);
  arguments.option("crawl", "DIR",
                   "add title, language and relevance of pages from the catalogue of this crawl",
                   &o.crawl);
  arguments.list("event", "NAME=PATTERN", "name what visitors do, such as buy=/order/done*",
                 [&](std::string_view text) -> Status {
                   const auto event = named(text, true, "event");
                   if (!event) return event.error();
                   if (o.pages.events.size() == 32) return Error{"there can be at most 32 events"};
                   o.pages.events.push_back(*event);
                   return {};
                 });
  arguments.list("places", "FILE.mmdb",
                 "a MaxMind file, to report countries, cities and organisations", &o.places);
  arguments.option(
      "support", "N",
      "number of sessions that a pattern must occur in (default: 1 % of them, at least 2)",
      whole_number(&o.patterns.support, "support", 1));
  arguments.option("confidence", "R", "lowest confidence of a rule, 0 to 1 (default 0.5)",
                   real_number(&o.patterns.confidence, "confidence", 0, 1));
  arguments.option("clusters", "N",
                   "number of clusters of sessions, and of pages (default 8; 0: none)",
                   whole_number(&o.patterns.clusters, "clusters", 0));
  arguments.option("top", "N", "number of rows in each list, patterns included (default 100)",
                   whole_number(&given.top, "top", 1));
  arguments.list("target", "PATTERN|EVENT",
                 "pages or events that visitors look for; they are marked as useful in --sessions",
                 &o.targets);
  arguments.option(
      "sessions", "FILE",
      "write the sessions to this file, for dowser learn hmm; their pages are taken from --web",
      output_file(&given.sessions));
  arguments.option("out", "DIR", "folder for usage.sqlite and report.html", &given.out);
  arguments.flag("json", "print one JSON object", &given.json);
  arguments.note(
      "A pattern matches a whole address, such as /shop/*?id=*. In it * stands for any text\nand ? "
      "for one character.");
}

Status set_logs(Given& given) {
  for (const std::string& path : given.logs) given.options.logs.push_back({path, 0});
  for (const std::string& text : given.offsets) {
    const size_t equals = text.rfind('=');
    const std::string log = text.substr(0, equals);
    std::string_view time =
        equals == text.npos ? std::string_view() : std::string_view(text).substr(equals + 1);
    const bool minus = time.starts_with('-');
    if (minus || time.starts_with('+')) time.remove_prefix(1);
    int64_t offset = 0;
    if (!seconds(&offset, "offset")(time)) {
      return Error{fmt::format("--offset needs LOG=TIME, such as b.log=-90s, not '{}'", text)};
    }
    bool found = false;
    for (LogInput& input : given.options.logs) {
      if (input.path != log && std::filesystem::path(input.path).filename() != log) continue;
      input.offset = minus ? -offset : offset;
      found = true;
    }
    if (!found)
      return Error{fmt::format("--offset: there is no log '{}' on the command line", log)};
  }
  if (Status s = check_targets(given.options); !s) return s;
  SessionRules& rules = given.options.rules;
  if (!rules.total && !rules.stay && !rules.referrer) rules.stay = 600;
  return {};
}

int usage(const Given& given) {
  stop_gently();
  const auto start = SteadyClock::now();
  UsageOutput output;
  output.rows = given.top;
  bool made_folder = false;
  std::error_code failed;
  if (!given.out.empty()) {
    made_folder = std::filesystem::create_directories(given.out, failed);
    if (failed) {
      return fail("usage",
                  Error{fmt::format("cannot make the folder {}: {}; name another folder with --out",
                                    given.out, failed.message())});
    }
    output.database = std::filesystem::path(given.out) / "usage.sqlite";
    for (const char* name : {"usage.sqlite", "report.html"}) {
      const std::filesystem::path file = std::filesystem::path(given.out) / name;
      if (Status s = is_no_part_of_a_crawl(file); !s) return fail("usage", s.error());
      if (Status s = may_write(file); !s) return fail("usage", s.error());
    }
  }
  const auto leave = [&](int code) {
    if (made_folder) std::filesystem::remove(given.out, failed);  // only where it is empty
    return code;
  };
  std::optional<ExportSessions> sessions;
  if (!given.sessions.empty()) {
    Result<ExportSessions> opened = ExportSessions::open(given.options);
    if (!opened) return leave(fail("usage", opened.error()));
    sessions.emplace(std::move(*opened));
    output.session = [&](const UsageSession& session, const HitCounter& hits,
                         const std::string& site) -> Status {
      if (site.empty()) return Error{"--sessions needs the address of the site: --site HOST"};
      sessions->add(session, hits, site);
      return {};
    };
  }
  ProgressLine line;
  const auto run = mine_usage(given.options, output,
                              [&](const Progress& progress) { return line.watch(progress); });
  line.clear();
  if (!run) return leave(fail("usage", run.error()));
  if (!*run) return leave(fail_or_stop("usage", stopped()));
  const UsageResult& result = (*run)->result;
  if (sessions) {
    if (Status s = sessions->write(given.sessions); !s) {
      std::filesystem::remove(output.database, failed);
      return leave(fail("usage", s.error()));
    }
  }
  if (!given.out.empty()) {
    const auto report = std::filesystem::path(given.out) / "report.html";
    if (Status s = write_file(report, usage_html(result)); !s) {
      std::filesystem::remove(output.database, failed);
      return leave(fail("usage", s.error()));
    }
  }
  const double seconds = std::chrono::duration<double>(SteadyClock::now() - start).count();
  for (const std::string& warning : (*run)->warnings) {
    fmt::print(stderr, "dowser usage: {}\n", warning);
  }
  fmt::print("{}", given.json ? usage_json(result, seconds)
                              : usage_text(result, std::min<size_t>(10, given.top)));
  if (!given.json && !given.out.empty()) {
    fmt::print("\nusage.sqlite and report.html are in {}\n", given.out);
  }
  if (sessions && !given.json) {
    fmt::print("{} sessions, {} with a target, are in {}\n", sessions->sessions(),
               sessions->with_target(), given.sessions);
  }
  if (sessions && sessions->pages_without_html() > 0) {
    fmt::print(stderr,
               "dowser usage: {} pages of the sessions have no words, since they are in no "
               "archive; give --web\n",
               sessions->pages_without_html());
  }
  return kDone;
}

}  // namespace

int usage_command(CommandLine line) {
  Given given;
  Arguments arguments(
      "usage",
      "Finds out from server logs who visits a site, how, and which pages are visited together.",
      "dowser usage access.log access.log.1.gz --site example.org --out usage");
  declare(arguments, given);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (Status s = set_logs(given); !s) return fail("usage", s.error(), kUsage);
  return usage(given);
}

}  // namespace dowser
