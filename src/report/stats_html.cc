#include "report/stats_html.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/shorten.h"
#include "report/html.h"
#include "report/numbers.h"

namespace dowser {
namespace {

constexpr size_t kMostSites = 200, kMostDirectories = 5000, kLongest = 120;

constexpr char kStyle[] = R"css(
:root { color-scheme: light dark; --ink: #1d2733; --soft: #65727f; --line: #dfe5ea; --paper: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --soft: #98a4b0; --line: #333d47;
  --paper: #161c22; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0 auto; max-width: 1080px; padding: 28px 20px 60px; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 18px; margin: 34px 0 8px; }
p { color: var(--soft); margin: 0 0 14px; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: 3px 10px 3px 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere; }
th { font-size: 13px; color: var(--soft); font-weight: 500; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
summary { cursor: pointer; padding: 2px 0; }
.d { padding: 1px 0; overflow-wrap: anywhere; }
.d i, summary i, .key i { display: inline-block; width: 12px; height: 12px; border-radius: 3px;
  margin: 0 8px -1px 0; }
.key i { margin-left: 14px; }
.d span, summary span { color: var(--soft); font-size: 13px; margin-left: 8px; }
)css";

// From red (no relevant page) over yellow to green (all relevant); grey where there is no page.
std::string colour(std::optional<double> prr) {
  if (!prr) return "#98a4b0";
  return fmt::format("hsl({:.0f} 65% 45%)", 130 * *prr);
}

std::string percent(std::optional<double> rate) {
  return rate ? fmt::format("{:.1f} %", 100 * *rate) : "–";
}

std::string number_cells(const DirectoryCounts& counts) {
  return fmt::format(
      "<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}"
      "<td class=n>{}",
      grouped(counts.pages), grouped(counts.relevant), grouped(counts.documents),
      grouped(counts.accepted), percent(counts.prr()), percent(counts.ddr()),
      percent(counts.adr()));
}

std::string sites_table(const std::vector<SiteRow>& sites) {
  std::string html =
      "<h2>Sites</h2>\n<table><tr><th>site<th class=n>referred to<th class=n>pages<th class=n>"
      "relevant<th class=n>documents<th class=n>accepted<th class=n>PRR<th class=n>DDR<th class=n>"
      "ADR<th>not again\n";
  for (size_t i = 0; i < std::min(sites.size(), kMostSites); ++i) {
    const SiteRow& site = sites[i];
    html += fmt::format("<tr><td>{}<td class=n>{}{}<td>{}\n",
                        html_escaped(shortened(site.host, kLongest)), grouped(site.references),
                        number_cells(site.counts), site.not_again);
  }
  html += "</table>\n";
  if (sites.size() > kMostSites) {
    html += fmt::format("<p>{} more sites are in the table <code>sites</code>.</p>\n",
                        grouped(sites.size() - kMostSites));
  }
  return html;
}

std::string line_of(const DirectoryRow& row, std::string_view name) {
  std::string html = fmt::format("<i style=\"background:{}\"></i>{}<span>{} of {} pages relevant",
                                 colour(row.counts.prr()), html_escaped(shortened(name, kLongest)),
                                 grouped(row.counts.relevant), grouped(row.counts.pages));
  if (row.counts.documents > 0) {
    html += fmt::format(", {} of {} documents accepted", grouped(row.counts.accepted),
                        grouped(row.counts.documents));
  }
  if (!row.avoid.empty()) html += fmt::format(", to be avoided ({})", row.avoid);
  return html + "</span>";
}

std::string tree(const std::vector<DirectoryRow>& rows) {
  std::string html =
      "<h2>Directories</h2>\n<p class=key>Share of relevant pages: <i style=\"background:hsl(0 65% "
      "45%)\"></i>0 %<i style=\"background:hsl(65 65% 45%)\"></i>50 %<i style=\"background:hsl(130 "
      "65% 45%)\"></i>100 %. A directory includes its subdirectories.</p>\n";
  bool is_open = false;
  for (size_t i = 0; i < std::min(rows.size(), kMostDirectories); ++i) {
    const DirectoryRow& row = rows[i];
    if (row.path == "/" || i == 0) {
      if (is_open) html += "</details>\n";
      html += "<details open><summary>" + line_of(row, row.host) + "</summary>\n";
      is_open = true;
      if (row.path == "/") continue;
    }
    const std::string_view path(row.path);
    const auto depth = std::count(path.begin(), path.end(), '/') - 1;
    const size_t begin = path.rfind('/', path.size() - 2) + 1;
    html += fmt::format("<div class=d style=\"padding-left:{}px\">{}</div>\n", 22 * depth,
                        line_of(row, path.substr(begin)));
  }
  if (is_open) html += "</details>\n";
  if (rows.size() > kMostDirectories) {
    html += fmt::format("<p>{} more directories are in the table <code>directories</code>.</p>\n",
                        grouped(rows.size() - kMostDirectories));
  }
  return html;
}

std::string stop_table(const std::vector<StopDirectoryRow>& rows) {
  std::string html =
      "<h2>Stop directories</h2>\n<p>Names of directories under which no site had a relevant page, "
      "or an accepted document. Those not marked as stop are candidates, which too few sites have "
      "so far.</p>\n<table><tr><th>name<th>without<th>stop<th class=n>sites<th>where\n";
  size_t left = kMostSites, candidates = 0;
  for (const bool is_stop : {true, false}) {
    for (const StopDirectoryRow& row : rows) {
      if (row.is_stop != is_stop) continue;
      if (left == 0) {
        ++candidates;
        continue;
      }
      --left;
      html += fmt::format(
          "<tr><td>{}<td>{}<td>{}<td class=n>{}<td>{}\n",
          html_escaped(shortened(row.name, kLongest)),
          row.kind == "pages" ? "relevant pages" : "accepted documents",
          row.is_stop ? "yes" : "candidate", row.sites.size(),
          html_escaped(shortened(fmt::format("{}", fmt::join(row.sites, ", ")), kLongest)));
    }
  }
  html += "</table>\n";
  if (candidates > 0) {
    html += fmt::format("<p>{} more names are in the table <code>stop_directories</code>.</p>\n",
                        grouped(candidates));
  }
  return html;
}

}  // namespace

std::string stats_html(std::string_view crawl, const StatisticsRows& rows) {
  const auto avoided = std::count_if(rows.directories.begin(), rows.directories.end(),
                                     [](const DirectoryRow& row) { return !row.avoid.empty(); });
  return fmt::format(
      "<!doctype html><html lang=en><meta charset=utf-8><title>Statistics of {0}</title><style>{1}"
      "</style>\n<h1>Sites and directories</h1>\n<p>{0}: {2} sites, {3} directories, of which {4} "
      "are to be avoided.</p>\n{5}{6}{7}</html>\n",
      html_escaped(crawl), kStyle, grouped(rows.sites.size()), grouped(rows.directories.size()),
      grouped(static_cast<uint64_t>(avoided)), sites_table(rows.sites), tree(rows.directories),
      stop_table(rows.stop_directories));
}

}  // namespace dowser
