#include "eval/compare_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "eval/compare_results.h"
#include "eval/verdict_report.h"
#include "report/html.h"
#include "report/plot.h"

namespace dowser {
namespace {

constexpr char kStyle[] = R"css(
:root { color-scheme: light dark; --ink: #1d2733; --soft: #65727f; --line: #dfe5ea;
  --paper: #fff; --good: #0b7a62; --bad: #b3402a; --mark: #eef4f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --soft: #98a4b0; --line: #333d47;
  --paper: #161c22; --good: #4cc7a6; --bad: #ef8a72; --mark: #222c35; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0 auto; max-width: 1180px; padding: 28px 20px 60px; }
h1 { font-size: 26px; margin: 0 0 4px; }
h2 { font-size: 19px; margin: 40px 0 8px; }
h3 { font-size: 15px; margin: 18px 0 4px; }
.about { color: var(--soft); margin: 0 0 20px; max-width: 80ch; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
td, th { text-align: right; padding: 4px 10px; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; white-space: nowrap; font-size: 14px; }
th { font-size: 13px; color: var(--soft); font-weight: 500; cursor: pointer; user-select: none; }
td:first-child, th:first-child { text-align: left; }
tr.lit { background: var(--mark); }
.range { color: var(--soft); font-size: 12px; }
.key { display: inline-block; width: 14px; height: 3px; vertical-align: 4px; margin-right: 7px; }
.better { color: var(--good); }
.worse { color: var(--bad); }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(480px, 1fr));
  gap: 8px 26px; }
svg { width: 100%; height: auto; }
svg text { font-size: 12px; fill: var(--soft); }
.grid { stroke: var(--line); }
polyline { fill: none; stroke-width: 1.8; }
polygon.band { stroke: none; opacity: .10; }
.dimmed polyline { opacity: .12; }
.dimmed polygon.band { opacity: 0; }
.dimmed polyline.lit { opacity: 1; stroke-width: 3; }
.dimmed polygon.band.lit { opacity: .25; }
.legend { columns: 4 190px; list-style: none; margin: 6px 0; padding: 0; font-size: 13px; }
.legend li { break-inside: avoid; cursor: default; }
dl { columns: 2 420px; font-size: 13px; color: var(--soft); }
dt { font-weight: 600; color: var(--ink); break-after: avoid; }
dd { margin: 0 0 6px; break-inside: avoid; }
)css";

// Sorts a table by the column whose head is clicked; highlights a strategy in all plots and tables.
constexpr char kScript[] = R"js(
for (const table of document.querySelectorAll('table.sortable')) {
  table.tHead.addEventListener('click', event => {
    const head = event.target.closest('th');
    if (!head) return;
    const column = head.cellIndex, body = table.tBodies[0];
    const falling = head.dataset.falling !== 'yes';
    head.dataset.falling = falling ? 'yes' : 'no';
    const value = row => row.cells[column].dataset.value ?? row.cells[column].textContent;
    const rows = [...body.rows].sort((a, b) => {
      const x = value(a), y = value(b), nx = parseFloat(x), ny = parseFloat(y);
      const order = isNaN(nx) || isNaN(ny)
        ? (isNaN(nx) && isNaN(ny) ? x.localeCompare(y) : isNaN(nx) ? -1 : 1) : nx - ny;
      return falling ? -order : order;
    });
    body.append(...rows);
  });
}
let kept = null;
const light = name => {
  for (const plot of document.querySelectorAll('svg')) plot.classList.toggle('dimmed', !!name);
  for (const one of document.querySelectorAll('[class*="s-"]'))
    one.classList.toggle('lit', !!name && one.classList.contains(name));
};
const name_of = target =>
  [...(target.closest('[class*="s-"]')?.classList ?? [])].find(c => c.startsWith('s-'));
document.addEventListener('mouseover', event => light(name_of(event.target) ?? kept));
document.addEventListener('click', event => {
  if (event.target.closest('th')) return;
  kept = name_of(event.target) ?? null;
  light(kept);
});
)js";

// Colours that differ as much as possible: steps of the golden angle around the colour circle.
std::string colour(size_t contestant, bool is_oracle) {
  if (is_oracle) return "var(--soft)";
  return fmt::format("hsl({} {}% {}%)", static_cast<int>(137.508 * contestant) % 360,
                     65 + 10 * (contestant % 2), 42 + 8 * (contestant % 3));
}

class Report {
 public:
  explicit Report(const Comparison& comparison)
      : comparison_(comparison), order_(by_focus(comparison)) {}

  std::string html() const {
    std::string html = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>Comparison of crawl strategies</title>"
        "<style>{}{}</style></head><body>\n<h1>Comparison of crawl strategies</h1>\n",
        kStyle, colours());
    html += about();
    html += "<h2>All topics</h2>\n" + table(std::nullopt) + plots(std::nullopt);
    html += "<h2>Who beats whom</h2>\n" + differences();
    html += verdict_html(comparison_);
    html += "<h2>Was the advice right?</h2>\n" + advice();
    html += "<h2>What the columns mean</h2>\n" + meanings();
    for (size_t i = 0; i < comparison_.topics.size(); ++i) {
      const ComparedTopic& topic = comparison_.topics[i];
      const auto [least, most] =
          std::minmax_element(topic.reachable.begin(), topic.reachable.end());
      html += fmt::format(
          "<h2 id=\"{0}\">{0}</h2>\n<p class=\"about\">{1} pages{2}; {3}–{4} targets can be "
          "reached from the start pages of a draw.</p>\n",
          html_escaped(topic.name), topic.pages,
          comparison_.held_out_judge ? " judged to be on the topic" : " with this label", *least,
          *most);
      html += plots(i) + table(i);
    }
    return html + fmt::format("<script>{}</script></body></html>\n", kScript);
  }

 private:
  bool is_oracle(size_t contestant) const {
    return contestant + 1 == comparison_.contestants.size();
  }

  std::string colours() const {
    std::string css;
    for (size_t i = 0; i < comparison_.contestants.size(); ++i) {
      css += fmt::format(
          "polyline.s-{0} {{ stroke: {1}; }} polygon.s-{0} {{ fill: {1}; }} .key.s-{0} {{ "
          "background: {1}; }}\n",
          i, colour(i, is_oracle(i)));
    }
    return css + fmt::format("polyline.s-{} {{ stroke-dasharray: 5 4; }}\n",
                             comparison_.contestants.size() - 1);
  }

  std::string given() const {
    const CompareOptions& o = comparison_.options;
    if (!o.words.empty()) return "a few words for the topic are";
    return fmt::format("{} pages of the topic are",
                       comparison_.held_out_judge ? (o.examples.size() + 1) / 2 : o.example_count);
  }

  std::string about() const {
    const CompareOptions& o = comparison_.options;
    std::string files;
    for (const auto& file : o.web) files += (files.empty() ? "" : ", ") + file.filename().string();
    std::string text = fmt::format(
        "<p class=\"about\">{} strategies on {} ({} pages, {} links), {} topic{}, {} draw{} each. "
        "In a draw {} given, the crawl starts at {}, and fetches {} pages. ",
        comparison_.contestants.size() - 1, html_escaped(files), comparison_.pages,
        comparison_.links, comparison_.topics.size(), comparison_.topics.size() == 1 ? "" : "s",
        o.draws, o.draws == 1 ? "" : "s", given(),
        o.seeds.empty() ? fmt::format("{} pages {} links from the nearest target", o.seed_count,
                                      o.seed_distance)
                        : fmt::format("{} given pages", o.seeds.size()),
        o.budget);
    text +=
        comparison_.held_out_judge
            ? "<b>There were no labels: a judge made of examples that no strategy saw said what "
              "is on the topic.</b> "
            : "Labels that no strategy sees decide which pages are on the topic. ";
    text += fmt::format(
        "A link to a page that is not in the archive {}. Ranges are 95 % bootstrap intervals over "
        "topics and draws. The polite crawls wait {} between two requests to a host, get an answer "
        "after {} and fetch {} pages at a time; they and the second start pages are of the first "
        "{} draw{}. ",
        o.drop_missing ? "is not followed" : "costs a fetch", format_duration(o.delay),
        format_duration(o.latency), o.connections, std::min(o.extra_draws, o.draws),
        std::min(o.extra_draws, o.draws) == 1 ? "" : "s");
    return text +
           "The context graph is given the archive's back-links around the examples, and "
           "infospiders-db the finds of an earlier crawl; the others know only what they fetch. "
           "Point at a name to see its curve, click to keep it; click a column's head to "
           "sort.</p>\n";
  }

  Interval mean(size_t contestant, std::optional<size_t> topic,
                const Comparison::Measure& measure) const {
    return topic ? comparison_.mean(contestant, *topic, measure)
                 : comparison_.mean(contestant, measure);
  }

  std::string table(std::optional<size_t> topic) const {
    std::string html =
        "<div class=\"scroll\"><table class=\"sortable\"><thead><tr><th>strategy</th>";
    for (const Column& column : columns_of(comparison_)) {
      html +=
          fmt::format("<th title=\"{}\">{}</th>", html_escaped(column.means), heading(column.name));
    }
    html += "</tr></thead><tbody>\n";
    for (const size_t i : order_) {
      html += fmt::format("<tr class=\"s-{0}\"><td><span class=\"key s-{0}\"></span>{1}</td>", i,
                          html_escaped(comparison_.contestants[i].name));
      for (const Column& column : columns_of(comparison_)) {
        const Interval value = mean(i, topic, column.measure);
        html += fmt::format("<td data-value=\"{}\">{}{}</td>", value.known ? value.mean : -1e9,
                            cell_text(value, column),
                            column.name == "focus" ? range(value, column) : "");
      }
      html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
  }

  static std::string heading(std::string_view name) {
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
  }

  static std::string range(const Interval& value, const Column& column) {
    return fmt::format(" <span class=\"range\">{:.{}f}–{:.{}f}</span>", value.low, column.digits,
                       value.high, column.digits);
  }

  std::string plots(std::optional<size_t> topic) const {
    Plot recall{
        "pages fetched", "recall", static_cast<double>(comparison_.options.budget), 1, true, {}};
    Plot similarity{"pages fetched",
                    "similarity to the examples",
                    static_cast<double>(comparison_.options.budget),
                    0.01,
                    false,
                    {}};
    for (const size_t i : order_) {
      const std::string css = fmt::format("s-{}", i), name = comparison_.contestants[i].name;
      PlotLine line{name, css, {{0, 0}}, {{0, 0}}};
      PlotLine similar{name, css, {}, {}};
      for (size_t p = 0; p < comparison_.points.size(); ++p) {
        const Interval value =
            mean(i, topic, [&](const Trial& trial) { return std::optional(recall_at(trial, p)); });
        line.points.emplace_back(comparison_.points[p], value.mean);
        line.band.emplace_back(value.low, value.high);
        const Interval near = mean(i, topic, [&](const Trial& trial) {
          return std::optional(trial.moving_similarity[p]);
        });
        similar.points.emplace_back(comparison_.points[p], near.mean);
        similarity.y_max = std::max(similarity.y_max, near.mean * 1.05);
      }
      recall.lines.push_back(std::move(line));
      similarity.lines.push_back(std::move(similar));
    }
    return fmt::format(
        "<div class=\"plots\"><div><h3>Recall: targets found of those reachable (dashed: the "
        "oracle)</h3>{}</div><div><h3>Similarity to the examples, mean of the last 100 pages</h3>{}"
        "</div>{}</div>\n{}",
        plot_svg(recall), plot_svg(similarity), session_plots(topic), legend());
  }

  // The figures of Liu, Janssen and Milios 2005: over all pages fetched so far.
  std::string session_plots(std::optional<size_t> topic) const {
    if (comparison_.options.sessions.empty()) return "";
    const auto budget = static_cast<double>(comparison_.options.budget);
    Plot precision{"pages fetched", "near an example", budget, 0.01, true, {}};
    Plot similarity{"pages fetched", "similarity", budget, 0.01, false, {}};
    for (const size_t i : order_) {
      PlotLine near{comparison_.contestants[i].name, fmt::format("s-{}", i), {}, {}};
      PlotLine similar = near;
      for (size_t p = 0; p < comparison_.points.size(); ++p) {
        const auto at = [&](const std::vector<double> Trial::*curve) {
          return mean(i, topic,
                      [&](const Trial& o) {
                        return p < (o.*curve).size() ? std::optional((o.*curve)[p]) : std::nullopt;
                      })
              .mean;
        };
        near.points.emplace_back(comparison_.points[p], at(&Trial::near_curve));
        similar.points.emplace_back(comparison_.points[p], at(&Trial::mean_max_curve));
        precision.y_max = std::max(precision.y_max, near.points.back().second * 1.05);
        similarity.y_max = std::max(similarity.y_max, similar.points.back().second * 1.05);
      }
      precision.lines.push_back(std::move(near));
      similarity.lines.push_back(std::move(similar));
    }
    return fmt::format(
        "<div><h3>Share of pages near an example, in the space of the sessions</h3>{}</div>"
        "<div><h3>Mean of the greatest similarity to an example, in that space</h3>{}</div>",
        plot_svg(precision), plot_svg(similarity));
  }

  // The share of the final recall that was found by then.
  static double recall_at(const Trial& trial, size_t point) {
    const double all = trial.found.back();
    return all > 0 ? trial.recall * trial.found[point] / all : 0;
  }

  std::string legend() const {
    std::string html = "<ul class=\"legend\">";
    for (const size_t i : order_) {
      html += fmt::format("<li class=\"s-{0}\"><span class=\"key s-{0}\"></span>{1}</li>", i,
                          html_escaped(comparison_.contestants[i].name));
    }
    return html + "</ul>\n";
  }

  std::string differences() const {
    std::string html =
        "<p class=\"about\">Focus of the row less that of the column, draw by draw; coloured where "
        "the 95 % interval does not hold zero.</p>\n<div "
        "class=\"scroll\"><table><thead><tr><th></th>";
    for (const size_t b : order_) {
      html += fmt::format("<th>{}</th>", html_escaped(comparison_.contestants[b].name));
    }
    html += "</tr></thead><tbody>\n";
    for (const size_t a : order_) {
      html += fmt::format("<tr><td>{}</td>", html_escaped(comparison_.contestants[a].name));
      for (const size_t b : order_) {
        if (a == b) {
          html += "<td>·</td>";
          continue;
        }
        const Interval d = comparison_.difference(a, b, columns().front().measure);
        html += fmt::format("<td class=\"{}\" title=\"{:.3f} to {:.3f}\">{:+.3f}</td>",
                            d.is_positive()   ? "better"
                            : d.is_negative() ? "worse"
                                              : "",
                            d.low, d.high, d.mean);
      }
      html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
  }

  std::string advice() const {
    std::string html =
        "<p class=\"about\">Each crawl was asked how many relevant pages are left. <b>Within "
        "two</b>: share of draws in which that was right within a factor of two, and the same "
        "after adding one to both numbers (which is kinder where little is left). <b>Bounds</b>: "
        "share of draws in which the truth was within the bounds it gave.</p>\n<div "
        "class=\"scroll\"><table class=\"sortable\"><thead><tr><th>strategy</th><th>fetches</th>"
        "<th>draws</th><th>within two</th><th>of one "
        "more</th><th>bounds</th></tr></thead><tbody>\n";
    for (const size_t i : order_) {
      if (is_oracle(i)) continue;
      for (const auto& [fetched, score] : comparison_.advice(i)) {
        html += fmt::format(
            "<tr class=\"s-{0}\"><td>{1}</td><td>{2}</td><td>{3}</td><td>{4:.2f}</td><td>{5:.2f}"
            "</td><td>{6:.2f}</td></tr>\n",
            i, html_escaped(comparison_.contestants[i].name), fetched, score.checks,
            score.within_two, score.within_two_of_one_more, score.covered);
      }
    }
    return html + "</tbody></table></div>\n";
  }

  std::string meanings() const {
    std::string html = "<dl>";
    for (const Column& column : columns_of(comparison_)) {
      html +=
          fmt::format("<dt>{}</dt><dd>{}</dd>", heading(column.name), html_escaped(column.means));
    }
    return html + "</dl>\n";
  }

  const Comparison& comparison_;
  const std::vector<size_t> order_;  // indexes of contestants, the best first
};

}  // namespace

std::string compare_report(const Comparison& comparison) { return Report(comparison).html(); }

}  // namespace dowser
