#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "report/html.h"
#include "report/numbers.h"
#include "report/usage_report.h"

// The report of `dowser usage`: figures, charts and lists on one page.

namespace dowser {
namespace {

constexpr size_t kRows = 15;      // of a list
constexpr size_t kPageRows = 40;  // of the table of pages
constexpr size_t kPatterns = 20;

constexpr char kStyle[] = R"css(
:root { color-scheme: light dark; --ink: #1d2733; --soft: #65727f; --line: #dfe5ea;
  --paper: #fff; --good: #0b7a62; --blue: #2b62c4; --bar: #cfe9e1; --bar2: #c9daf5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --soft: #98a4b0; --line: #333d47;
  --paper: #161c22; --good: #4cc7a6; --blue: #7ca8f5; --bar: #1f4a40; --bar2: #27406b; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0 auto; max-width: 1080px; padding: 28px 20px 60px; }
h1 { font-size: 26px; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 38px 0 10px; }
h3 { font-size: 14px; font-weight: 600; margin: 0 0 6px; }
p { margin: 6px 0; }
.about, .why { color: var(--soft); }
.why { font-size: 13px; }
a { color: var(--blue); text-decoration: none; }
a:hover { text-decoration: underline; }
.figures { display: flex; flex-wrap: wrap; gap: 12px; margin: 14px 0; }
.figure { border: 1px solid var(--line); border-radius: 8px; padding: 8px 16px; }
.figure b { display: block; font-size: 22px; font-weight: 600; }
.figure span { color: var(--soft); font-size: 13px; }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr));
  gap: 26px; }
.grid > div { min-width: 0; }
.scroll { overflow-x: auto; }
svg { width: 100%; height: auto; display: block; }
svg text { font-size: 12px; fill: var(--soft); }
svg .rule { stroke: var(--line); }
svg .a { fill: var(--good); }
svg .b { fill: var(--blue); }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { font-size: 13px; color: var(--soft); font-weight: 500; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.name { overflow-wrap: anywhere; min-width: 180px; }
.list td { border: 0; padding: 1px 6px 1px 0; }
.list .number { width: 1%; }
.list .bar { background: linear-gradient(var(--bar), var(--bar)) no-repeat 0 50% / var(--w) 78%;
  padding-left: 4px; border-radius: 2px; }
.then { color: var(--good); }
ol { padding-left: 22px; margin: 0; }
li { overflow-wrap: anywhere; padding: 1px 0; }
)css";

std::string megabytes(uint64_t bytes) {
  const auto b = static_cast<double>(bytes);
  if (b >= 1e9) return fmt::format("{:.2f} GB", b / 1e9);
  return fmt::format("{:.1f} MB", b / 1e6);
}

std::string duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{:.1f} min", seconds / 60);
}

std::string figure(const std::string& value, std::string_view label) {
  return fmt::format("<div class=\"figure\"><b>{}</b><span>{}</span></div>", value, label);
}

double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

struct Bar {
  std::string label;
  uint64_t value = 0;
};

// Upright bars with labels below, as many as there is room for.
std::string bar_chart(const std::vector<Bar>& bars, std::string_view css, std::string_view means) {
  // About as wide as it is shown, so that labels keep their size.
  constexpr double kWidth = 380, kHeight = 170, kLeft = 52, kBottom = 24, kTop = 10;
  uint64_t most = 1;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  const double inner = kHeight - kTop - kBottom;
  const double step = (kWidth - kLeft) / static_cast<double>(std::max<size_t>(1, bars.size()));
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                                kWidth, kHeight, means);
  for (const double share : {0.0, 0.5, 1.0}) {
    const double y = kTop + (1 - share) * inner;
    svg += fmt::format(
        "<line class=\"rule\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        kLeft, kWidth, y, kLeft - 6, y + 4,
        grouped(static_cast<uint64_t>(std::llround(share * static_cast<double>(most)))));
  }
  size_t widest = 1;
  for (const Bar& bar : bars) widest = std::max(widest, bar.label.size());
  const auto every =
      static_cast<size_t>(std::max(1.0, std::ceil((static_cast<double>(widest) * 7.5 + 8) / step)));
  for (size_t i = 0; i < bars.size(); ++i) {
    const double height = static_cast<double>(bars[i].value) / static_cast<double>(most) * inner;
    const double x = kLeft + step * static_cast<double>(i);
    svg += fmt::format(
        "<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
        "height=\"{:.2f}\"><title>{}: {}</title></rect>",
        css, x + step * 0.1, kTop + inner - height, std::max(0.5, step * 0.8), height,
        html_escaped(bars[i].label), grouped(bars[i].value));
    // The last label would be cut off unless it fits.
    if (i % every == 0 && (bars.size() <= 24 || i + every / 2 < bars.size())) {
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                         x + step / 2, kHeight - 6, html_escaped(bars[i].label));
    }
    svg += "\n";
  }
  return svg + "</svg>\n";
}

class UsageReport {
 public:
  explicit UsageReport(const UsageResult& result) : r_(result) {}

  std::string html() const {
    const std::string title = r_.site.empty() ? "Use of a web site" : "Use of " + r_.site;
    return fmt::format(
               "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
               "<meta name=\"viewport\" content=\"width=device-width\"><title>{0}</title>"
               "<style>{1}</style></head><body>\n<h1>{0}</h1>\n",
               html_escaped(title), kStyle) +
           about() + figures() + charts() + cleaning() + pages() + origins() + events() +
           patterns() + clusters() + visitors() + errors() + "</body></html>\n";
  }

 private:
  std::string about() const {
    uint64_t lines = 0, cut = 0, broken = 0, late = 0;
    std::string names;
    for (const LogTally& log : r_.logs) {
      lines += log.lines;
      cut += log.cut;
      broken += log.broken;
      late += log.late;
      names += (names.empty() ? "" : ", ") + html_escaped(log.path);
    }
    std::string text = fmt::format(
        "<p class=\"about\">{} lines of {} from {} to {}. Damaged lines: {}, of which {} could be "
        "used all the same.",
        grouped(lines), names, to_iso8601(Time{r_.first * 1'000'000}),
        to_iso8601(Time{r_.last * 1'000'000}), grouped(cut + broken), grouped(cut));
    if (late > 0) {
      text += fmt::format(" {} lines are far out of order, so sessions may be cut there.",
                          grouped(late));
    }
    if (r_.site_guessed) {
      text += " The name of the site was inferred from the referrers.";
    }
    if (r_.tables_full) {
      text += " There were too many names to keep: the rarest are counted together.";
    }
    return text + "</p>\n";
  }

  std::string figures() const {
    std::string html = "<div class=\"figures\">";
    html += figure(grouped(r_.sessions), "visits");
    html += figure(grouped(r_.users), "visitors");
    html += figure(grouped(r_.views), "page views");
    html += figure(fmt::format("{:.1f}", r_.mean_views), "views per visit");
    html += figure(fmt::format("{:.1f}", r_.mean_path), "length of a path");
    html += figure(duration_text(r_.mean_view_seconds), "a view");
    html += figure(duration_text(r_.mean_session_seconds), "a visit");
    html += figure(fmt::format("{:.0f} %", percent(r_.single, r_.sessions)), "one view only");
    html += "</div>\n<div class=\"figures\">";
    html += figure(grouped(r_.all.hits), "hits");
    html += figure(grouped(static_cast<uint64_t>(std::llround(r_.hits_per_day))), "hits a day");
    html += figure(grouped(r_.successful), "successful");
    html += figure(grouped(r_.cached), "cached");
    html += figure(grouped(r_.redirected), "redirected");
    html += figure(grouped(r_.failed), "failed");
    html += figure(megabytes(r_.all.bytes), "sent");
    if (r_.with_cookie > 0) html += figure(grouped(r_.with_cookie), "hits with a cookie");
    return html + "</div>\n";
  }

  std::string charts() const {
    std::vector<Bar> hits, sessions, hours, lengths;
    for (const UsageDay& day : r_.days) {
      hits.push_back({day.day.substr(5), day.tally.hits});
      sessions.push_back({day.day.substr(5), day.tally.sessions});
    }
    for (size_t h = 0; h < r_.hours.size(); ++h) {
      hours.push_back({std::to_string(h), r_.hours[h].hits});
    }
    uint64_t longer = 0;
    for (const auto& [length, count] : r_.lengths) {
      if (length > 15) longer += count;
    }
    for (size_t length = 1; length <= 15; ++length) {
      const auto it = r_.lengths.find(length);
      lengths.push_back({std::to_string(length), it == r_.lengths.end() ? 0 : it->second});
    }
    lengths.push_back({"more", longer});
    return fmt::format(
        "<h2>When and how long</h2>\n<div class=\"grid\"><div><h3>Hits a day</h3>{}</div>"
        "<div><h3>Visits a day</h3>{}</div><div><h3>Hits by hour of the day</h3>{}</div>"
        "<div><h3>Visits by page views</h3>{}</div></div>\n",
        bar_chart(hits, "a", "hits a day"), bar_chart(sessions, "b", "visits a day"),
        bar_chart(hours, "a", "hits by hour"), bar_chart(lengths, "b", "visits by page views"));
  }

  std::string cleaning() const {
    const Cleaned& c = r_.cleaned;
    std::vector<UsageCount> rows = {{"pages that people requested", r_.views + r_.joined, 0},
                                    {"assets: pictures, style sheets, scripts", c.assets, 0},
                                    {"robots that identify themselves", c.robot_agents, 0},
                                    {"robots recognised by their behaviour", r_.robot_views, 0},
                                    {"requests for robots.txt", c.robots_txt, 0},
                                    {"errors", c.errors, 0},
                                    {"redirects", c.redirects, 0},
                                    {"other methods and addresses", c.other, 0}};
    std::string html = "<h2>What the hits are</h2>\n" + list(rows);
    html += fmt::format(
        "<p class=\"why\">{} requests were joined with the page view they belong to (frames, "
        "pieces "
        "of files); {} views were put in because the browser showed them from its cache.",
        grouped(r_.joined), grouped(r_.inferred));
    if (r_.web_pages > 0) {
      html += fmt::format(" {} pages with {} links of the site are known.", grouped(r_.web_pages),
                          grouped(r_.web_links));
    }
    for (const UsageCount& reason : r_.robot_reasons) {
      html += fmt::format(" Robots by behaviour: {} visits, {}.", grouped(reason.count),
                          html_escaped(reason.name));
    }
    return html + "</p>\n";
  }

  static std::string list(const std::vector<UsageCount>& rows) {
    uint64_t most = 1;
    for (const UsageCount& row : rows) most = std::max(most, row.count);
    std::string html = "<table class=\"list\">";
    for (size_t i = 0; i < std::min(kRows, rows.size()); ++i) {
      html += fmt::format(
          "<tr><td class=\"number\">{}</td><td class=\"name bar\" "
          "style=\"--w:{:.1f}%\">{}</td></tr>\n",
          grouped(rows[i].count),
          100.0 * static_cast<double>(rows[i].count) / static_cast<double>(most),
          html_escaped(rows[i].name));
    }
    return html + "</table>\n";
  }

  // A table as a box of a grid; "" if it has no rows.
  std::string box(std::string_view key) const {
    const UsageTable* table = r_.table(key);
    if (!table || table->rows.empty()) return "";
    return fmt::format("<div><h3>{} <span class=\"why\">by {}</span></h3>{}</div>\n", table->title,
                       table->unit, list(table->rows));
  }

  std::string boxes(std::string_view title, std::initializer_list<std::string_view> keys) const {
    std::string html;
    for (const std::string_view key : keys) html += box(key);
    if (html.empty()) return "";
    return fmt::format("<h2>{}</h2>\n<div class=\"grid\">{}</div>\n", title, html);
  }

  std::string page_name(const UsagePage& page) const {
    std::string html = page.url.empty()
                           ? html_escaped(page.name)
                           : fmt::format("<a href=\"{}\" rel=\"noreferrer\">{}</a>",
                                         html_escaped(page.url), html_escaped(page.name));
    if (page.catalogue) {
      html += fmt::format("<div class=\"why\">{}{}</div>", html_escaped(page.catalogue->title),
                          page.catalogue->relevant ? " (relevant)" : "");
    }
    return html;
  }

  std::string pages() const {
    std::string html =
        "<h2>Pages</h2>\n<div class=\"scroll\"><table><tr><th>page</th><th class=\"number\">views"
        "</th><th class=\"number\">inferred</th><th class=\"number\">seconds a view</th><th "
        "class=\"number\">entries</th><th class=\"number\">exits</th><th class=\"number\">only page"
        "</th><th class=\"number\">hits</th><th class=\"number\">sent</th></tr>\n";
    for (size_t i = 0; i < std::min(kPageRows, r_.pages.size()); ++i) {
      const UsagePage& page = r_.pages[i];
      const std::string seconds =
          page.tally.timed == 0 ? "–"
                                : fmt::format("{:.0f}", static_cast<double>(page.tally.seconds) /
                                                            static_cast<double>(page.tally.timed));
      html += fmt::format("<tr><td class=\"name\">{}</td>", page_name(page));
      for (const std::string& cell :
           {grouped(page.tally.views), grouped(page.tally.inferred), seconds,
            grouped(page.tally.entries), grouped(page.tally.exits), grouped(page.tally.single),
            grouped(page.hits), megabytes(page.bytes)}) {
        html += fmt::format("<td class=\"number\">{}</td>", cell);
      }
      html += "</tr>\n";
    }
    html += "</table></div>\n<div class=\"grid\">";
    const auto short_list = [&](std::string_view title, const std::vector<UsagePage>& pages,
                                const auto& value) {
      std::vector<UsageCount> rows;
      for (const UsagePage& page : pages) rows.push_back({page.name, value(page), 0});
      html += fmt::format("<div><h3>{}</h3>{}</div>\n", title, list(rows));
    };
    html += "</div>\n<h2>Where visits begin and end</h2>\n<div class=\"grid\">";
    short_list("Entry pages", r_.entry_pages, [](const UsagePage& p) { return p.tally.entries; });
    short_list("Exit pages", r_.exit_pages, [](const UsagePage& p) { return p.tally.exits; });
    short_list("Single-access pages", r_.single_pages,
               [](const UsagePage& p) { return p.tally.single; });
    html += "</div>\n";
    if (r_.join) {
      html += fmt::format(
          "<p>Of the {} pages of the site that the crawl holds visitors looked at {}; {} pages "
          "that "
          "they looked at are not in the crawl. {} views were of relevant pages, {} of "
          "others.</p>\n",
          grouped(r_.join->pages), grouped(r_.join->seen), grouped(r_.join->missing),
          grouped(r_.join->relevant_views), grouped(r_.join->other_views));
    }
    return html;
  }

  std::string origins() const {
    std::vector<UsageCount> rows;
    for (const auto& [name, source] : r_.sources) rows.push_back({name, source.sessions, 0});
    std::sort(rows.begin(), rows.end(),
              [](const UsageCount& a, const UsageCount& b) { return a.count > b.count; });
    std::string html = "<h2>Where visitors come from</h2>\n<div class=\"grid\">";
    html += "<div><h3>Visits by source</h3>" + list(rows) + "</div>\n";
    for (const char* key : {"referring_sites", "search_engines", "keywords", "referrers"}) {
      html += box(key);
    }
    return html + "</div>\n";
  }

  std::string events() const {
    if (r_.events.empty()) return "";
    std::string html =
        "<h2>Events and conversion</h2>\n<div class=\"scroll\"><table><tr><th>event</th><th "
        "class=\"number\">times</th><th class=\"number\">visits</th><th class=\"number\">conversion"
        "</th><th class=\"number\">views before</th><th class=\"number\">time before</th>";
    for (const auto& [name, source] : r_.sources) {
      html += fmt::format("<th class=\"number\">{}</th>", html_escaped(name));
    }
    html += "</tr>\n";
    for (size_t i = 0; i < r_.events.size(); ++i) {
      const EventTally& t = r_.events[i].tally;
      const double visits = std::max(1.0, static_cast<double>(t.sessions));
      html += fmt::format(
          "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
          "class=\"number\">{:.2f} %</td><td class=\"number\">{:.1f}</td><td "
          "class=\"number\">{}</td>",
          html_escaped(r_.events[i].name), grouped(t.times), grouped(t.sessions),
          percent(t.sessions, r_.sessions), static_cast<double>(t.views_before) / visits,
          duration_text(static_cast<double>(t.seconds_before) / visits));
      for (const auto& [name, source] : r_.sources) {
        html += fmt::format("<td class=\"number\">{:.2f} %</td>",
                            percent(source.converted[i], source.sessions));
      }
      html += "</tr>\n";
    }
    return html + "</table></div>\n";
  }

  std::string names(const std::vector<uint32_t>& pages, std::string_view between) const {
    std::string html;
    for (const uint32_t page : pages) {
      if (!html.empty()) html += between;
      html += html_escaped(r_.page_names.at(page));
    }
    return html;
  }

  std::string patterns() const {
    const UsagePatterns& p = r_.patterns;
    std::string html = fmt::format(
        "<h2>Patterns</h2>\n<p class=\"why\">Found in at least {} of {} visits{}.{}</p>\n",
        grouped(p.support), grouped(p.sessions),
        r_.patterns_from_one_in > 1
            ? fmt::format(", a sample of one visit in {}", r_.patterns_from_one_in)
            : "",
        p.complete ? "" : " There are more patterns than could be searched.");
    html += "<div class=\"grid\">";
    const auto counted = [&](std::string_view title, const auto& patterns,
                             std::string_view between) {
      if (patterns.empty()) return;
      html += fmt::format("<div><h3>{}</h3><table class=\"list\">", title);
      for (size_t i = 0; i < std::min({kPatterns, r_.rows, patterns.size()}); ++i) {
        html += fmt::format("<tr><td class=\"number\">{}</td><td class=\"name\">{}</td></tr>\n",
                            grouped(patterns[i].support), names(patterns[i].items, between));
      }
      html += "</table></div>\n";
    };
    counted("Pages seen in one visit", p.sets, " <b>+</b> ");
    counted("One after the other, possibly with others in between", p.sequences, " <b>…</b> ");
    counted("Paths: one directly after the other", p.paths, " <b>→</b> ");
    html += "</div>\n";
    if (p.rules.empty()) return html;
    html +=
        "<h3>Visitors of the pages on the left also visit the one on the right</h3>\n<div "
        "class=\"scroll\"><table><tr><th>rule"
        "</th><th class=\"number\">visits</th><th class=\"number\">confidence</th><th "
        "class=\"number\">lift</th></tr>\n";
    for (size_t i = 0; i < std::min({kPatterns, r_.rows, p.rules.size()}); ++i) {
      const AssociationRule& rule = p.rules[i];
      html += fmt::format(
          "<tr><td class=\"name\">{} <b>→</b> <span class=\"then\">{}</span></td><td "
          "class=\"number\">{}</td><td class=\"number\">{:.0f} %</td><td "
          "class=\"number\">{:.1f}</td></tr>\n",
          names(rule.given, " + "), html_escaped(r_.page_names.at(rule.then)),
          grouped(rule.support), 100 * rule.confidence, rule.lift);
    }
    return html + "</table></div>\n";
  }

  std::string clusters() const {
    std::string html;
    const auto group = [&](std::string_view title, const std::vector<UsageCluster>& clusters,
                           std::string_view unit) {
      if (clusters.empty()) return;
      html += fmt::format("<h2>{}</h2>\n<div class=\"grid\">", title);
      for (const UsageCluster& cluster : clusters) {
        html += fmt::format("<div><h3>{} {}</h3><ol>", grouped(cluster.size), unit);
        for (const uint32_t page : cluster.pages) {
          html += fmt::format("<li>{}</li>", html_escaped(r_.page_names.at(page)));
        }
        html += "</ol></div>\n";
      }
      html += "</div>\n";
    };
    group("Groups of visits to the same pages", r_.patterns.session_clusters, "visits");
    group("Groups of pages that are visited together", r_.patterns.page_clusters, "pages");
    return html;
  }

  std::string visitors() const {
    return boxes("Visitors", {"browsers", "systems", "countries", "cities", "organisations",
                              "hosts", "robots"});
  }

  std::string errors() const {
    return boxes("Answers and errors",
                 {"statuses", "methods", "protocols", "not_found", "server_errors", "unauthorised",
                  "unauthorised_hosts", "addresses"});
  }

  const UsageResult& r_;
};

}  // namespace

std::string usage_html(const UsageResult& result) { return UsageReport(result).html(); }

}  // namespace dowser
