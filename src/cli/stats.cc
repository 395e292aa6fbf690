#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/new_file.h"
#include "cli/arguments.h"
#include "cli/output_file.h"
#include "cli/print_json.h"
#include "cli/stats.h"
#include "model/crawl_statistics.h"
#include "report/stats_html.h"
#include "run/crawl_profile.h"
#include "run/earlier_crawls.h"
#include "run/run.h"
#include "store/statistics_tables.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostLines = 20;

Json or_null(std::optional<double> rate) { return rate ? Json(*rate) : Json(nullptr); }

void add_counts(Json& json, const DirectoryCounts& counts) {
  json["pages"] = counts.pages;
  json["relevant"] = counts.relevant;
  json["documents"] = counts.documents;
  json["accepted"] = counts.accepted;
  json["prr"] = or_null(counts.prr());
  json["ddr"] = or_null(counts.ddr());
  json["adr"] = or_null(counts.adr());
}

Json to_json(const StatisticsRows& rows) {
  Json all = {{"sites", Json::array()},
              {"directories", Json::array()},
              {"stop_directories", Json::array()}};
  for (const SiteRow& site : rows.sites) {
    Json json = {
        {"host", site.host}, {"entrance", site.entrance}, {"referred_to", site.references}};
    add_counts(json, site.counts);
    json["trap"] = site.is_trap;
    json["not_again"] = site.not_again.empty() ? Json(nullptr) : Json(site.not_again);
    all["sites"].push_back(std::move(json));
  }
  for (const DirectoryRow& row : rows.directories) {
    Json json = {{"host", row.host}, {"path", row.path}};
    add_counts(json, row.counts);
    json["avoid"] = row.avoid.empty() ? Json(nullptr) : Json(row.avoid);
    all["directories"].push_back(std::move(json));
  }
  for (const StopDirectoryRow& row : rows.stop_directories) {
    all["stop_directories"].push_back(
        {{"name", row.name}, {"kind", row.kind}, {"hosts", row.sites}, {"stop", row.is_stop}});
  }
  return all;
}

std::string percent(std::optional<double> rate) {
  return rate ? fmt::format("{:.1f}", 100 * *rate) : "-";
}

void print_counts(std::string_view name, const DirectoryCounts& c, std::string_view note) {
  fmt::print("{:<44}{:>7}{:>9}{:>7}{:>7}{:>7}{:>7}{:>7}  {}\n", name, c.pages, c.relevant,
             c.documents, c.accepted, percent(c.prr()), percent(c.ddr()), percent(c.adr()), note);
}

void print_head(std::string_view what) {
  fmt::print("{:<44}{:>7}{:>9}{:>7}{:>7}{:>7}{:>7}{:>7}\n", what, "pages", "relevant", "docs",
             "accept", "PRR %", "DDR %", "ADR %");
}

void print(const StatisticsRows& rows) {
  std::vector<SiteRow> sites = rows.sites;
  std::stable_sort(sites.begin(), sites.end(), [](const SiteRow& a, const SiteRow& b) {
    return a.counts.pages > b.counts.pages;
  });
  print_head("site");
  for (size_t i = 0; i < std::min(sites.size(), kMostLines); ++i) {
    const std::string note = sites[i].not_again.empty()
                                 ? ""
                                 : fmt::format("not to be crawled again: {}", sites[i].not_again);
    print_counts(sites[i].host, sites[i].counts, note);
  }
  if (sites.size() > kMostLines) fmt::print("and {} more sites\n", sites.size() - kMostLines);
  size_t avoided = 0;
  for (const DirectoryRow& row : rows.directories) avoided += !row.avoid.empty();
  fmt::print("\n{} directories, {} of them to be avoided\n", rows.directories.size(), avoided);
  if (avoided > 0) print_head("directory to be avoided");
  for (size_t shown = 0; const DirectoryRow& row : rows.directories) {
    if (row.avoid.empty() || shown++ >= kMostLines) continue;
    print_counts(row.host + row.path, row.counts, row.avoid);
  }
  if (avoided > kMostLines) fmt::print("and {} more\n", avoided - kMostLines);
  std::vector<std::string> stops;
  size_t candidates = 0;
  for (const StopDirectoryRow& row : rows.stop_directories) {
    if (row.is_stop) stops.push_back(row.name);
    candidates += !row.is_stop;
  }
  fmt::print("\nstop directories: {}\ncandidates: {}\n",
             stops.empty() ? "none" : fmt::format("{}", fmt::join(stops, ", ")), candidates);
}

// As the crawl itself counts, but from its catalogue: also of a crawl that has not ended.
Result<StatisticsRows> statistics_of(const std::string& folder) {
  const Result<CrawlConfig> config = config_of(folder);
  if (!config) return config.error();
  const Result<CrawlProfile> profile = CrawlProfile::read(*config);
  if (!profile) return profile.error();
  CrawlStatistics statistics(profile->profile.statistics, config->documents);
  // The candidates of earlier crawls count.
  const Result<EarlierLists> earlier = earlier_lists(config->previous);
  if (earlier) statistics.use(*earlier);
  const auto catalogue = std::filesystem::path(folder) / "catalogue.sqlite";
  if (Status s = add_catalogue(catalogue, statistics); !s) return s.error();
  return StatisticsRows{statistics.sites(), statistics.directories(),
                        statistics.stop_directories()};
}

}  // namespace

int stats_command(CommandLine line) {
  Arguments arguments("stats",
                      "Shows by site and directory how many of the fetched pages were relevant, "
                      "and what the next crawl should skip.",
                      "dowser stats birds --html statistics.html");
  std::string folder, html;
  bool json = false;
  arguments.word("DIR", "the folder of a crawl", &folder);
  arguments.option("html", "FILE", "write a page with a tree of the directories",
                   output_file(&html));
  arguments.flag("json", "print one JSON object", &json);
  arguments.note(
      "PRR is the share of relevant pages, DDR the number of documents per page, ADR the share "
      "of\naccepted documents; '-' means that there is nothing to divide by. A directory includes "
      "its\nsubdirectories. To use these lists in the next crawl, give it --previous DIR.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const Result<StatisticsRows> rows = statistics_of(folder);
  if (!rows) return fail("stats", rows.error());
  if (!html.empty()) {
    if (Status s = write_file(html, stats_html(folder, *rows)); !s) return fail("stats", s.error());
  }
  if (json) {
    print_json(to_json(*rows));
    return kDone;
  }
  print(*rows);
  if (!html.empty()) fmt::print("page: {}\n", html);
  return kDone;
}

}  // namespace dowser
