#include "report/diff_html.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/shorten.h"
#include "report/html.h"
#include "report/plot.h"

namespace dowser {
namespace {

constexpr size_t kLongest = 160;

constexpr char kStyle[] = R"css(
:root { color-scheme: light dark; --ink: #1d2733; --soft: #65727f; --line: #dfe5ea;
  --paper: #fff; --blue: #2b62c4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --soft: #98a4b0; --line: #333d47;
  --paper: #161c22; --blue: #7ca8f5; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0 auto; max-width: 1080px; padding: 28px 20px 60px; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 18px; margin: 34px 0 8px; }
.about, .note { color: var(--soft); margin: 0 0 14px; }
a { color: var(--blue); text-decoration: none; }
.figures { display: flex; flex-wrap: wrap; gap: 12px; }
.figure { border: 1px solid var(--line); border-radius: 8px; padding: 8px 16px; min-width: 92px; }
.figure b { display: block; font-size: 22px; font-weight: 600; }
.figure span { color: var(--soft); font-size: 13px; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(400px, 1fr)); gap: 22px; }
.charts h3 { font-size: 14px; margin: 22px 0 4px; }
svg { width: 100%; height: auto; } svg text { font-size: 12px; fill: var(--soft); }
.grid { stroke: var(--line); } polyline { fill: none; stroke-width: 2.2; }
.l0 { stroke: #2b62c4; } .l1 { stroke: #0b7a62; } .l2 { stroke: #b4521a; } .l3 { stroke: #7a3fb0; }
.l4 { stroke: #98870b; } .l5 { stroke: #65727f; }
.key { font-size: 13px; color: var(--soft); margin: 0; }
.key i { display: inline-block; width: 18px;
  height: 0; border-top: 3px solid; margin: 0 6px 3px 12px; }
.k0 { color: #2b62c4; } .k1 { color: #0b7a62; } .k2 { color: #b4521a; } .k3 { color: #7a3fb0; }
.k4 { color: #98870b; } .k5 { color: #65727f; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere; }
.number { white-space: nowrap; overflow-wrap: normal; }
th { font-size: 13px; color: var(--soft); font-weight: 500; }
)css";

std::string cell(const std::string& text) {
  const std::string shown = html_escaped(shortened(text, kLongest));
  if (!text.starts_with("http://") && !text.starts_with("https://")) return shown;
  return fmt::format("<a href=\"{}\">{}</a>", html_escaped(text), shown);
}

bool is_number(std::string_view text) {
  return text.find_first_not_of("0123456789.-") == std::string_view::npos;
}

std::string chart_html(const DiffChart& chart) {
  Plot plot;
  plot.x_label = "crawl", plot.y_label = chart.y_label;
  plot.x_min = 1, plot.x_max = 2, plot.x_whole = true;
  plot.y_max = 0;
  std::string key;
  for (size_t i = 0; i < chart.lines.size(); ++i) {
    const auto& [name, points] = chart.lines[i];
    for (const auto& [x, y] : points) {
      plot.x_max = std::max(plot.x_max, x), plot.y_max = std::max(plot.y_max, y);
    }
    plot.lines.push_back({"", fmt::format("l{}", i % 6), points, {}});
    key += fmt::format("<i class=\"k{}\"></i>{}", i % 6, html_escaped(shortened(name, 40)));
  }
  if (plot.y_max <= 0) plot.y_max = 1;
  return fmt::format("<div><h3>{}</h3>{}<p class=\"key\">{}</p></div>\n", html_escaped(chart.title),
                     plot_svg(plot), key);
}

std::string section_html(const DiffSection& section) {
  std::string html = fmt::format("<h2>{}</h2>\n", html_escaped(section.title));
  if (!section.note.empty()) {
    html += fmt::format("<p class=\"note\">{}</p>\n", html_escaped(section.note));
  }
  std::vector<bool> is_used(section.heads.size());  // a column that says nothing is left out
  for (const auto& row : section.rows) {
    for (size_t i = 0; i < row.size(); ++i) is_used[i] = is_used[i] || !row[i].empty();
  }
  html += "<table><tr>";
  for (size_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i]) html += "<th>" + html_escaped(section.heads[i]) + "</th>";
  }
  html += "</tr>\n";
  for (const auto& row : section.rows) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) {
      if (!is_used[i]) continue;
      html += (is_number(row[i]) ? "<td class=\"number\">" : "<td>") + cell(row[i]) + "</td>";
    }
    html += "</tr>\n";
  }
  html += "</table>\n";
  if (section.left_out > 0)
    html += fmt::format("<p class=\"note\">and {} more</p>\n", section.left_out);
  return html;
}

}  // namespace

std::string diff_html(const DiffPage& page) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{0}</title><style>{1}</style></head><body>\n"
      "<h1>{0}</h1>\n<p class=\"about\">{2}</p>\n<div class=\"figures\">",
      html_escaped(page.title), kStyle, html_escaped(page.about));
  for (const auto& [number, what] : page.figures) {
    html += fmt::format("<div class=\"figure\"><b>{}</b><span>{}</span></div>",
                        html_escaped(number), html_escaped(what));
  }
  html += "</div>\n<div class=\"charts\">";
  for (const DiffChart& chart : page.charts) html += chart_html(chart);
  html += "</div>\n";
  for (const DiffSection& section : page.sections) html += section_html(section);
  return html + "</body></html>\n";
}

}  // namespace dowser
