#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/new_file.h"
#include "base/shorten.h"
#include "cli/arguments.h"
#include "cli/diff.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/print_json.h"
#include "cli/progress.h"
#include "report/diff_html.h"
#include "run/crawl_diff.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostRows = 100, kMostLines = 6, kMostPrinted = 5;

struct Kind {
  const char* name;   // in JSON
  const char* title;  // for people
  std::vector<PageChange> CrawlDiff::*pages;
};
const Kind kKinds[] = {
    {"appeared", "appeared", &CrawlDiff::appeared},
    {"text_changed", "changed in text", &CrawlDiff::text_changed},
    {"markup_changed", "changed in markup only", &CrawlDiff::markup_changed},
    {"moved", "moved", &CrawlDiff::moved},
    {"gone", "gone", &CrawlDiff::gone},
    {"forbidden", "forbidden now", &CrawlDiff::forbidden},
    {"failed", "failed", &CrawlDiff::failed},
};

Json to_json(const CrawlSeries& series) {
  Json steps = Json::array(), hosts = Json::array();
  for (const CrawlDiff& diff : series.steps) {
    Json step = {{"before", diff.before},       {"after", diff.after},
                 {"compared", diff.compared},   {"unchanged", diff.unchanged},
                 {"not_asked", diff.not_asked}, {"no_longer_relevant", diff.not_found}};
    for (const Kind& kind : kKinds) {
      Json& list = step[kind.name] = Json::array();
      for (const PageChange& page : diff.*kind.pages) {
        Json& one = list.emplace_back(Json{{"url", page.url}, {"title", page.title}});
        if (!page.detail.empty()) one["detail"] = page.detail;
        if (page.shift) one["shift"] = *page.shift;
      }
    }
    for (const auto& [name, links] :
         {std::pair{"links_came", &diff.links_came}, std::pair{"links_went", &diff.links_went}}) {
      Json& list = step[name] = Json::array();
      for (const CrawlDiff::Link& link : *links) list.push_back({link.from, link.to});
    }
    Json& clusters = step["clusters"] = Json::array();
    for (const ClusterShift& c : diff.clusters) {
      clusters.push_back({{"cluster", c.cluster}, {"pages", c.pages}, {"shift", c.shift}});
    }
    steps.push_back(std::move(step));
  }
  for (const HostConcepts& h : series.hosts) {
    Json entropy = Json::array();
    for (const auto& e : h.entropy) e ? entropy.push_back(*e) : entropy.push_back(nullptr);
    hosts.push_back({{"host", h.host},
                     {"pages", h.pages},
                     {"entropy", entropy},
                     {"shift", h.shift},
                     {"narrows", h.narrows},
                     {"strongest", h.strongest}});
  }
  return {{"crawls", series.crawls}, {"found", series.found}, {"steps", steps}, {"hosts", hosts}};
}

void print_step(const CrawlDiff& diff) {
  fmt::print("{} -> {}: {} pages compared, {} unchanged\n", diff.before, diff.after, diff.compared,
             diff.unchanged);
  for (const Kind& kind : kKinds) {
    const auto& pages = diff.*kind.pages;
    if (pages.empty()) continue;
    fmt::print("  {:<24}{:>6}\n", kind.title, pages.size());
    for (size_t i = 0; i < std::min(kMostPrinted, pages.size()); ++i) {
      fmt::print("    {}{}{}{}\n", shortened(pages[i].url, 100),
                 pages[i].detail.empty() ? "" : "  -> ", shortened(pages[i].detail, 100),
                 pages[i].shift ? fmt::format("  (hits shifted {:.2f})", *pages[i].shift) : "");
    }
    if (pages.size() > kMostPrinted) fmt::print("    and {} more\n", pages.size() - kMostPrinted);
  }
  if (diff.not_asked > 0) fmt::print("  {:<24}{:>6}\n", "not requested again", diff.not_asked);
  if (diff.not_found > 0) fmt::print("  {:<24}{:>6}\n", "no longer relevant", diff.not_found);
  fmt::print("  new links {}, removed links {}\n", diff.links_came.size(), diff.links_went.size());
  for (const ClusterShift& c : diff.clusters) {
    fmt::print("  cluster {} of {} pages: hits shifted by {:.3f}\n", c.cluster, c.pages, c.shift);
  }
}

std::string entropy_text(const HostConcepts& h) {
  std::string text;
  for (const auto& e : h.entropy) {
    text += (text.empty() ? "" : " ") + (e ? fmt::format("{:.2f}", *e) : std::string("–"));
  }
  return text;
}

void print_hosts(const CrawlSeries& series) {
  if (series.hosts.empty()) return;
  fmt::print("{:<34}{:>8}  entropy of its hits by crawl\n", "host", "shift");
  for (size_t i = 0; i < std::min<size_t>(10, series.hosts.size()); ++i) {
    const HostConcepts& h = series.hosts[i];
    fmt::print("{:<34}{:>8.3f}  {}{}\n", shortened(h.host, 33), h.shift, entropy_text(h),
               h.narrows ? "  narrows to " + h.strongest : "");
  }
}

DiffSection section_of(const Kind& kind, const CrawlDiff& diff) {
  DiffSection section;
  const auto& pages = diff.*kind.pages;
  section.title = fmt::format("{} ({})", kind.title, pages.size());
  section.title[0] = static_cast<char>(section.title[0] - 'a' + 'A');
  section.heads = {"page", "title", "detail", "shift of hits"};
  for (const PageChange& page : pages) {
    if (section.rows.size() == kMostRows) break;
    section.rows.push_back(
        {page.url, page.title, page.detail, page.shift ? fmt::format("{:.3f}", *page.shift) : ""});
  }
  section.left_out = pages.size() - section.rows.size();
  return section;
}

DiffSection links_section(const std::string& title, const std::vector<CrawlDiff::Link>& links) {
  DiffSection section;
  section.title = fmt::format("{} ({})", title, links.size());
  section.heads = {"on", "to"};
  for (const CrawlDiff::Link& link : links) {
    if (section.rows.size() == kMostRows) break;
    section.rows.push_back({link.from, link.to});
  }
  section.left_out = links.size() - section.rows.size();
  return section;
}

DiffPage page_of(const CrawlSeries& series) {
  DiffPage page;
  const CrawlDiff& last = series.steps.back();
  page.title = "What has changed";
  page.about = fmt::format("{} and {}; {} pages that the earlier one found were compared.",
                           last.before, last.after, last.compared);
  page.figures.emplace_back(std::to_string(last.unchanged), "unchanged");
  for (const Kind& kind : kKinds) {
    page.figures.emplace_back(std::to_string((last.*kind.pages).size()), kind.title);
  }
  page.figures.emplace_back(std::to_string(last.not_asked), "not requested again");
  DiffChart found{"Relevant pages", "pages", {{"found", {}}}};
  for (size_t i = 0; i < series.found.size(); ++i) {
    found.lines[0].second.emplace_back(static_cast<double>(i + 1),
                                       static_cast<double>(series.found[i]));
  }
  page.charts.push_back(std::move(found));
  DiffChart entropy{"How many concepts a host has", "entropy of its hits, bits", {}};
  for (const HostConcepts& h : series.hosts) {
    if (entropy.lines.size() == kMostLines) break;
    auto& line = entropy.lines.emplace_back(h.host, std::vector<std::pair<double, double>>{});
    for (size_t i = 0; i < h.entropy.size(); ++i) {
      if (h.entropy[i]) line.second.emplace_back(static_cast<double>(i + 1), *h.entropy[i]);
    }
  }
  if (!entropy.lines.empty()) page.charts.push_back(std::move(entropy));
  for (const Kind& kind : kKinds) {
    if (!(last.*kind.pages).empty()) page.sections.push_back(section_of(kind, last));
  }
  if (!series.hosts.empty()) {
    DiffSection hosts;
    hosts.title = "Hosts";
    hosts.note =
        "Shift: 1 - cosine of the hits in the first and the last crawl. A host whose entropy falls "
        "towards 0 narrows to one concept.";
    hosts.heads = {"host", "shift", "entropy by crawl", "strongest signature", ""};
    for (const HostConcepts& h : series.hosts) {
      if (hosts.rows.size() == kMostRows) break;
      hosts.rows.push_back({h.host, fmt::format("{:.3f}", h.shift), entropy_text(h), h.strongest,
                            h.narrows ? "narrows" : ""});
    }
    page.sections.push_back(std::move(hosts));
  }
  if (!last.clusters.empty()) {
    DiffSection clusters;
    clusters.title = "Clusters of the earlier crawl";
    clusters.heads = {"cluster", "pages in both", "mean shift of hits"};
    for (const ClusterShift& c : last.clusters) {
      clusters.rows.push_back(
          {std::to_string(c.cluster), std::to_string(c.pages), fmt::format("{:.3f}", c.shift)});
    }
    page.sections.push_back(std::move(clusters));
  }
  page.sections.push_back(links_section("New links", last.links_came));
  page.sections.push_back(links_section("Removed links", last.links_went));
  return page;
}

}  // namespace

int diff_command(CommandLine line) {
  Arguments arguments("diff",
                      "Reports what has changed between crawls of the same sites: pages that "
                      "appeared, vanished, moved or changed, their links, and their subjects.",
                      "dowser diff birds birds-again --to changes.html");
  std::vector<std::string> folders;
  std::string to;
  bool json = false;
  arguments.option("to", "FILE.html", "a report with charts", output_file(&to));
  arguments.flag("json", "print one JSON object", &json);
  arguments.words("DIR",
                  "folders of crawls, the oldest first (dowser crawl --again repeats a crawl)",
                  &folders, 2);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const std::vector<std::filesystem::path> paths(folders.begin(), folders.end());
  stop_gently();
  ProgressLine shown;
  const auto series =
      diff_crawls(paths, [&](const Progress& progress) { return shown.watch(progress); });
  shown.clear();
  if (!series) return fail_or_stop("diff", series.error());
  if (!to.empty()) {
    if (Status s = write_file(to, diff_html(page_of(*series))); !s) return fail("diff", s.error());
  }
  if (json) {
    print_json(to_json(*series));
    return kDone;
  }
  for (const CrawlDiff& diff : series->steps) print_step(diff);
  print_hosts(*series);
  if (!to.empty()) fmt::print("report: {}\n", to);
  return kDone;
}

}  // namespace dowser
