#include "eval/verdict_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/plot.h"

namespace dowser {
namespace {

using nlohmann::ordered_json;
using Quality = std::optional<VerdictQuality> Trial::*;

constexpr Quality kFinal = &Trial::verdicts, kAtFetch = &Trial::verdicts_at_fetch;

struct VerdictColumn {
  std::string_view name, means;
  double VerdictQuality::*value;
  Quality when;
};

constexpr VerdictColumn kColumns[] = {
    {"precision", "share of the pages called relevant that are on the topic",
     &VerdictQuality::precision, kFinal},
    {"recall", "share of the fetched pages on the topic that are called relevant",
     &VerdictQuality::recall, kFinal},
    {"F1", "harmonic mean of precision and recall", &VerdictQuality::f1, kFinal},
    {"best F1", "F1 of the best threshold, which only the labels can tell",
     &VerdictQuality::best_f1, kFinal},
    {"average precision", "how well relevance orders the pages", &VerdictQuality::average_precision,
     kFinal},
    {"calibration error",
     "expected calibration error with ten bins: mean difference between the relevance of pages and "
     "the share of them that is on the topic",
     &VerdictQuality::calibration_error, kFinal},
    {"F1 at fetch", "of what was said when the page came", &VerdictQuality::f1, kAtFetch},
    {"best F1 at fetch", "F1 of the best threshold on the verdicts at fetch",
     &VerdictQuality::best_f1, kAtFetch},
    {"average precision at fetch", "of what was said when the page came",
     &VerdictQuality::average_precision, kAtFetch},
    {"calibration error at fetch", "of what was said when the page came",
     &VerdictQuality::calibration_error, kAtFetch},
};

Comparison::Measure measure_of(const VerdictColumn& column) {
  return [&column](const Trial& trial) -> std::optional<double> {
    const std::optional<VerdictQuality>& quality = trial.*column.when;
    return quality ? std::optional((*quality).*column.value) : std::nullopt;
  };
}

bool are_measured(const Comparison& comparison) {
  for (const ComparedTopic& topic : comparison.topics) {
    for (const auto& trials : topic.trials) {
      for (const Trial& trial : trials) {
        if (trial.verdicts) return true;
      }
    }
  }
  return false;
}

// All pages of all crawls together.
std::array<VerdictQuality::Bin, VerdictQuality::kBins> bins_of(const Comparison& comparison,
                                                               const VerdictRow& row,
                                                               Quality when) {
  std::array<VerdictQuality::Bin, VerdictQuality::kBins> bins;
  for (const ComparedTopic& topic : comparison.topics) {
    for (const size_t contestant : row.contestants) {
      for (const Trial& trial : topic.trials[contestant]) {
        if (!(trial.*when)) continue;
        for (size_t i = 0; i < bins.size(); ++i) bins[i] += (trial.*when)->bins[i];
      }
    }
  }
  return bins;
}

PlotLine reliability(const Comparison& comparison, const VerdictRow& row, Quality when,
                     std::string css) {
  constexpr size_t kFewPages = 20;  // of so few the share says little
  PlotLine line{row.judge + (when == kFinal ? "" : " at fetch"), std::move(css), {}, {}};
  for (const VerdictQuality::Bin& bin : bins_of(comparison, row, when)) {
    if (bin.pages < kFewPages) continue;
    const auto pages = static_cast<double>(bin.pages);
    line.points.emplace_back(bin.relevance / pages, static_cast<double>(bin.on_topic) / pages);
  }
  return line;
}

// Also for readers who do not see colours: at fetch is dotted.
std::string plot_html(const Comparison& comparison, const std::vector<VerdictRow>& rows) {
  Plot plot{"relevance", "share on the topic", 1, 1, true, {}};
  plot.lines.push_back({"perfect", "ideal", {{0, 0}, {1, 1}}, {}});
  std::string css =
      "<style>polyline.ideal { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 2 3; } "
      ".reliability { max-width: 560px; } ";
  std::string legend = "<ul class=\"legend\">";
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string name = fmt::format("v-{}", i);
    css += fmt::format(
        "polyline.{0} {{ stroke: hsl({1} 70% 45%); }} polyline.{0}-first {{ stroke: hsl({1} 70% "
        "45%); stroke-dasharray: 1 4; }} .key.{0} {{ background: hsl({1} 70% 45%); }} ",
        name, 160 + static_cast<int>(137.508 * static_cast<double>(i)) % 360);
    plot.lines.push_back(reliability(comparison, rows[i], kFinal, name));
    plot.lines.push_back(reliability(comparison, rows[i], kAtFetch, name + "-first"));
    legend +=
        fmt::format("<li><span class=\"key {}\"></span>{}</li>", name, html_escaped(rows[i].judge));
  }
  return fmt::format(
      "{}</style><h3>Reliability: of the pages with a relevance, how many are on the topic?</h3><p "
      "class=\"about\">All crawls together, in ten bins. On the diagonal, relevance is a "
      "probability. Dotted: the verdicts at fetch.</p><div class=\"reliability\">{}</div>{}</ul>\n",
      css, plot_svg(plot), legend);
}

}  // namespace

std::vector<VerdictRow> verdict_rows(const Comparison& comparison) {
  std::vector<VerdictRow> rows;
  for (size_t i = 0; i + 1 < comparison.contestants.size(); ++i) {  // the oracle is the last
    const std::string& judge = comparison.contestants[i].judge;
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const VerdictRow& known) { return known.judge == judge; });
    if (row == rows.end()) {
      rows.push_back({judge, {i}});
    } else {
      row->contestants.push_back(i);
    }
  }
  return rows;
}

Interval mean(const Comparison& comparison, const VerdictRow& row,
              const Comparison::Measure& measure) {
  std::vector<std::vector<double>> groups;
  for (const ComparedTopic& topic : comparison.topics) {
    std::vector<double> values;
    for (const size_t contestant : row.contestants) {
      for (const Trial& trial : topic.trials[contestant]) {
        if (const std::optional<double> value = measure(trial)) values.push_back(*value);
      }
    }
    if (!values.empty()) groups.push_back(std::move(values));
  }
  return bootstrap_mean(groups);
}

std::string verdict_table(const Comparison& comparison) {
  if (!are_measured(comparison)) return "";
  const std::vector<VerdictRow> rows = verdict_rows(comparison);
  size_t widest = 8;
  for (const VerdictRow& row : rows) widest = std::max(widest, row.judge.size());
  std::string text = fmt::format(
      "\nVerdicts on the fetched pages at the end of the crawl (in parentheses: at fetch)\n{:{}}  "
      "{:>9}  {:>6}  {:>11}  {:>11}  {:>17}  {:>17}\n",
      "judge", widest, "precision", "recall", "F1", "best F1", "average precision",
      "calibration error");
  for (const VerdictRow& row : rows) {
    const auto value = [&](size_t column) {
      return mean(comparison, row, measure_of(kColumns[column])).mean;
    };
    text += fmt::format(
        "{:{}}  {:>9.3f}  {:>6.3f}  {:.3f} ({:.3f})  {:.3f} ({:.3f})  {:>9.3f} ({:.3f})  {:>9.3f} "
        "({:.3f})\n",
        row.judge, widest, value(0), value(1), value(2), value(6), value(3), value(7), value(4),
        value(8), value(5), value(9));
  }
  return text;
}

std::string verdict_html(const Comparison& comparison) {
  if (!are_measured(comparison)) return "";
  const std::vector<VerdictRow> rows = verdict_rows(comparison);
  std::string html =
      "<h2>Can the verdicts be trusted?</h2>\n<p class=\"about\">By labels that no judge saw, over "
      "the pages that a crawl fetched: what was said of them when the crawl had ended, and when "
      "they came. Strategies that share a judge share a row.</p>\n<div class=\"scroll\"><table "
      "class=\"sortable\"><thead><tr><th>judge</th><th>strategies</th>";
  for (const VerdictColumn& column : kColumns) {
    html += fmt::format("<th title=\"{}\">{}</th>", html_escaped(column.means), column.name);
  }
  html += "</tr></thead><tbody>\n";
  for (const VerdictRow& row : rows) {
    html +=
        fmt::format("<tr><td>{}</td><td>{}</td>", html_escaped(row.judge), row.contestants.size());
    for (const VerdictColumn& column : kColumns) {
      const Interval value = mean(comparison, row, measure_of(column));
      html += value.known ? fmt::format("<td title=\"{:.3f} to {:.3f}\">{:.3f}</td>", value.low,
                                        value.high, value.mean)
                          : "<td>–</td>";
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n" + plot_html(comparison, rows);
}

ordered_json verdict_json(const Comparison& comparison) {
  ordered_json all = ordered_json::array();
  if (!are_measured(comparison)) return all;
  for (const VerdictRow& row : verdict_rows(comparison)) {
    ordered_json one = {{"judge", row.judge}, {"strategies", ordered_json::array()}};
    for (const size_t i : row.contestants) {
      one["strategies"].push_back(comparison.contestants[i].name);
    }
    for (const VerdictColumn& column : kColumns) {
      std::string name(column.name);
      std::replace(name.begin(), name.end(), ' ', '_');
      const Interval value = mean(comparison, row, measure_of(column));
      one[name == "F1" ? "f1" : name] = {
          {"mean", value.mean}, {"low", value.low}, {"high", value.high}};
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace dowser
