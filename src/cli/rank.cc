#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include "base/clock.h"
#include "base/file.h"
#include "base/progress.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "mine/rank_web.h"
#include "report/rank_report.h"
#include "store/rankings.h"

namespace dowser {
namespace {

using SteadyClock = std::chrono::steady_clock;

// What is being done, on standard error: one line that changes on a terminal, a line every ten
// seconds elsewhere.
class PhaseLine {
 public:
  void show(std::string_view phase, double share) {
    const auto now = SteadyClock::now();
    if (phase != phase_) {
      end_phase(now);
      phase_ = phase;
      start_ = now;
    }
    const auto pause = terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(10);
    if (now - last_ < pause) return;
    last_ = now;
    shown_ = true;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    std::string text = phase_;
    if (share > 0) {
      text += fmt::format(": {:.0f} %, {:.0f} s left", 100 * share, seconds * (1 - share) / share);
    }
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r" : "", text, terminal_ ? "\033[K" : "\n");
  }
  void clear() {
    end_phase(SteadyClock::now());
    if (terminal_ && shown_) fmt::print(stderr, "\r\033[K");
  }
  // How long each phase took, in the order in which they first began.
  const std::vector<PhaseSeconds>& seconds() const { return seconds_; }

 private:
  void end_phase(SteadyClock::time_point now) {
    if (phase_.empty()) return;
    const double passed = std::chrono::duration<double>(now - start_).count();
    const auto same = [&](const PhaseSeconds& other) { return other.phase == phase_; };
    const auto it = std::find_if(seconds_.begin(), seconds_.end(), same);
    it == seconds_.end() ? seconds_.push_back({phase_, passed}) : void(it->seconds += passed);
    phase_.clear();
  }

  const bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
  std::string phase_;
  std::vector<PhaseSeconds> seconds_;
  SteadyClock::time_point start_, last_ = SteadyClock::now();
};

struct Given {
  std::vector<std::string> places;
  LinkedPagesOptions reading;
  RankOptions ranking;
  std::string hits = "root", like, csv, graphml;
  size_t top = 10;
  bool json = false, dry = false;
};

Status set_damping(double* value, std::string_view text) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  if (error != std::errc() || end != text.data() + text.size() || !(*value >= 0 && *value < 1)) {
    return Error{fmt::format("--damping must be from 0 to below 1, not '{}'", text)};
  }
  return {};
}

void declare(Arguments& arguments, Given& given) {
  arguments.words("DIR|ARCHIVE", "the folder of a crawl, or WARC files", &given.places);
  arguments.list("topic", "WORDS",
                 "rank for this topic too; repeat for several (default for a crawl: its own)",
                 &given.reading.topics);
  arguments.flag("plain",
                 "use the algorithms as published: every link counts the same, wherever it is",
                 &given.ranking.plain);
  arguments.option("hits", "root|all",
                   "hubs and authorities of a topic: among its best pages and their neighbours, or "
                   "among all (default root)",
                   [&](std::string_view text) -> Status {
                     given.hits = text;
                     if (text == "root" || text == "all") return {};
                     return Error{fmt::format("--hits must be root or all, not '{}'", text)};
                   });
  arguments.option("root", "N", "the pages of a topic that rankings start from (default 200)",
                   whole_number(&given.ranking.root, "root", 1));
  arguments.option(
      "damping", "D", "damping factor of PageRank: how likely a link is followed (default 0.85)",
      [&](std::string_view text) { return set_damping(&given.ranking.damping, text); });
  arguments.option("like", "URL", "only list pages that have links in common with this one",
                   &given.like);
  arguments.option("top", "N", "number of rows in each list (default 10)",
                   whole_number(&given.top, "top", 1));
  arguments.option("csv", "FILE", "write all pages with their ranks", output_file(&given.csv));
  arguments.option("graphml", "FILE", "write pages and links, for Gephi, networkx and others",
                   output_file(&given.graphml));
  arguments.flag("dry-run", "do not write tables into the catalogue of the crawl", &given.dry);
  arguments.flag("json", "print one JSON object", &given.json);
  arguments.note(
      "The ranks of a crawl go into tables of its catalogue: rankings, ranks and page_links. They "
      "replace those of an earlier run.");
}

std::string settings_of(const Given& given) {
  std::string text = fmt::format("damping={} root={} hits={}", given.ranking.damping,
                                 given.ranking.root, given.hits);
  return given.ranking.plain ? text + " plain" : text;
}

Status keep(const Given& given, const LinkedPages& web, const RankedWeb& ranked) {
  const std::filesystem::path folder = given.places.front();
  // A crawl that runs would have to wait for us, and its pages are not all there yet.
  Result<FolderLock> lock = FolderLock::take(folder);
  if (!lock) {
    return Error{lock.error().message + ": try again when it is done, or give --dry-run"};
  }
  std::vector<int64_t> ids;
  std::vector<uint32_t> in_links, out_links;
  for (uint32_t n = 0; n < web.pages.size(); ++n) {
    ids.push_back(web.pages[n].id);
    in_links.push_back(static_cast<uint32_t>(web.graph.in().degree(n)));
    out_links.push_back(static_cast<uint32_t>(web.graph.out().degree(n)));
  }
  KeptRankings kept{
      to_iso8601(SystemClock().now()), settings_of(given),    ids, in_links, out_links,
      ranked.external_in_links,        ranked.communities.of, {}};
  for (const Ranking& ranking : ranked.rankings) {
    kept.rankings.push_back({ranking.topic, ranking.pagerank.values, ranking.hits.hubs,
                             ranking.hits.authorities, ranking.pagerank.converged,
                             ranking.hits.converged});
  }
  return keep_rankings(folder / "catalogue.sqlite", kept);
}

int show_alike(const Given& given, const LinkedPages& web) {
  const std::optional<uint32_t> page = web.find(given.like);
  if (!page) {
    return fail("rank", Error{fmt::format("{} has no page {}", given.places.front(), given.like)});
  }
  const std::vector<AlikePage> alike = pages_like(web, *page, given.top, given.ranking.plain);
  fmt::print("{}", given.json ? alike_json(web, *page, alike) : alike_text(web, *page, alike));
  return kDone;
}

int rank(const Given& given) {
  stop_gently();
  PhaseLine line;
  const WatchWork watch = [&](std::string_view phase, double share) {
    line.show(phase, share);
    return !interrupted();
  };
  const auto web = read_linked_pages(given.places, given.reading, watch);
  if (!web) {
    line.clear();
    return fail("rank", web.error());
  }
  if (*web && !given.like.empty()) {
    line.clear();
    return show_alike(given, **web);
  }
  std::optional<RankedWeb> ranked;
  if (*web) ranked = rank_web(**web, given.ranking, watch);
  line.clear();
  if (!ranked) return fail_or_stop("rank", stopped());

  if (!given.csv.empty()) {
    if (Status s = write_rank_csv(given.csv, **web, *ranked); !s) return fail("rank", s.error());
  }
  if (!given.graphml.empty()) {
    if (Status s = write_rank_graph(given.graphml, **web, *ranked); !s) {
      return fail("rank", s.error());
    }
  }
  if ((*web)->of_crawl && !given.dry) {
    if (Status s = keep(given, **web, *ranked); !s) return fail("rank", s.error());
  }
  fmt::print("{}", given.json ? rank_json(**web, *ranked, given.top, line.seconds())
                              : rank_text(**web, *ranked, given.top));
  return kDone;
}

}  // namespace

int rank_command(CommandLine line) {
  Given given;
  Arguments arguments("rank",
                      "Computes from the links between pages which of them are important: "
                      "PageRank, hubs and authorities, similar pages, communities.",
                      "dowser rank birds --topic \"birds of prey\" --csv ranks.csv");
  declare(arguments, given);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  given.ranking.hits_over_all = given.hits == "all";
  given.reading.with_nofollow = given.ranking.plain;
  return rank(given);
}

}  // namespace dowser
