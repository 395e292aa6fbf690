#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/shorten.h"
#include "report/borderline.h"
#include "report/html.h"
#include "report/plot.h"
#include "report/report_documents.h"
#include "report/report_links.h"
#include "store/catalogue_reader.h"

namespace dowser {
namespace {

constexpr size_t kPlotPoints = 400;
constexpr size_t kRecent = 100;  // window of the recent harvest
constexpr size_t kBestPages = 60;
constexpr size_t kHosts = 25;
constexpr size_t kMaxTitle = 200;  // bytes of a title or address, as it is shown

constexpr char kStyle[] = R"css(
:root { color-scheme: light dark; --ink: #1d2733; --soft: #65727f; --line: #dfe5ea;
  --paper: #fff; --good: #0b7a62; --blue: #2b62c4; --bar: #cfe9e1; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --soft: #98a4b0; --line: #333d47;
  --paper: #161c22; --good: #4cc7a6; --blue: #7ca8f5; --bar: #1f4a40; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0 auto; max-width: 1080px; padding: 28px 20px 60px; }
h1 { font-size: 26px; margin: 0 0 4px; }
h2 { font-size: 18px; margin: 38px 0 10px; }
.about { color: var(--soft); margin: 0 0 22px; }
a { color: var(--blue); text-decoration: none; }
a:hover { text-decoration: underline; }
.figures { display: flex; flex-wrap: wrap; gap: 12px; }
.figure { border: 1px solid var(--line); border-radius: 8px; padding: 10px 18px;
  min-width: 104px; }
.figure b { display: block; font-size: 24px; font-weight: 600; }
.figure span { color: var(--soft); font-size: 13px; }
.plots { display: grid; gap: 22px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); }
.plots h3 { font-size: 14px; font-weight: 600; margin: 0 0 4px; }
svg { width: 100%; height: auto; }
svg text { font-size: 12px; fill: var(--soft); }
.grid { stroke: var(--line); }
polyline { fill: none; stroke-width: 2.2; }
.found { stroke: var(--good); }
.recent { stroke: var(--blue); }
.all { stroke: var(--soft); stroke-dasharray: 4 4; stroke-width: 1.2; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { font-size: 13px; color: var(--soft); font-weight: 500; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.url { color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.why { color: var(--soft); font-size: 13px; }
.words { columns: 4 200px; padding: 0; list-style: none; margin: 0; }
.words li { break-inside: avoid; padding: 1px 0; }
h3 { font-size: 14px; margin: 18px 0 6px; }
rect.paper, .legend .paper { fill: var(--good); background: var(--good); }
rect.thesis, .legend .thesis { fill: var(--blue); background: var(--blue); }
rect.report, .legend .report { fill: #b7791f; background: #b7791f; }
rect.faq, .legend .faq { fill: #8e5bb5; background: #8e5bb5; }
rect.other, .legend .other { fill: var(--line); background: var(--line); }
.legend span { margin-right: 16px; } .legend i { display: inline-block; width: 12px; height: 12px;
  border-radius: 2px; margin-right: 6px; vertical-align: -1px; }
.words .bar { display: inline-block; height: 10px; background: var(--bar); margin-right: 8px;
  border-radius: 2px; }
@media (max-width: 640px) { body { padding: 18px 12px 40px; }
  table { display: block; overflow-x: auto; } }
)css";

struct Curve {
  std::vector<std::pair<double, double>> found, recent;
  size_t fetched = 0, relevant = 0;
};

Curve curve_of(const std::vector<bool>& relevant) {
  Curve curve;
  curve.fetched = relevant.size();
  curve.found.emplace_back(0, 0);
  const size_t stride = std::max<size_t>(1, relevant.size() / kPlotPoints);
  size_t window = 0;
  for (size_t i = 0; i < relevant.size(); ++i) {
    curve.relevant += relevant[i];
    window += relevant[i];
    if (i >= kRecent) window -= relevant[i - kRecent];
    if ((i + 1) % stride != 0 && i + 1 != relevant.size()) continue;
    const auto x = static_cast<double>(i + 1);
    curve.found.emplace_back(x, static_cast<double>(curve.relevant));
    curve.recent.emplace_back(
        x, static_cast<double>(window) / static_cast<double>(std::min(i + 1, kRecent)));
  }
  return curve;
}

std::string plots(const Curve& curve) {
  const double fetched = std::max<double>(1, static_cast<double>(curve.fetched));
  Plot found{.x_label = "pages fetched",
             .y_label = "relevant pages",
             .x_max = fetched,
             .y_max = std::max<double>(1, static_cast<double>(curve.relevant) * 1.08)};
  const double diagonal = std::min(found.x_max, found.y_max);
  found.lines = {{"every page relevant", "all", {{0, 0}, {diagonal, diagonal}}},
                 {"relevant pages found", "found", curve.found}};
  const Plot recent{.x_label = "pages fetched",
                    .y_label = "harvest",
                    .x_max = fetched,
                    .y_percent = true,
                    .lines = {{"harvest", "recent", curve.recent}}};
  return fmt::format(
      "<div class=\"plots\"><div><h3>Relevant pages found (dashed: if every page were "
      "relevant)</h3>{}</div>"
      "<div><h3>Harvest: relevant among the last {} pages</h3>{}</div></div>\n",
      plot_svg(found), kRecent, plot_svg(recent));
}

// An address for href: only http is a link, whatever a page claimed.
std::string anchor(const std::string& url, const std::string& text) {
  if (!url.starts_with("http://") && !url.starts_with("https://")) return html_escaped(text);
  return fmt::format("<a href=\"{}\" rel=\"noreferrer\">{}</a>", html_escaped(url),
                     html_escaped(text));
}

// "[["bird",0.1],…]" as "bird, nest, wing".
std::string reason_words(const std::string& json) {
  std::string out;
  int words = 0;
  for (size_t at = 0; words < 6 && (at = json.find("[\"", at)) != std::string::npos; ++words) {
    const size_t end = json.find("\",", at += 2);
    if (end == std::string::npos) break;
    if (json[at] == '(') break;  // those that are not words come last
    out += (out.empty() ? "" : ", ") + json.substr(at, end - at);
  }
  return out;
}

std::string page_table(const std::vector<CataloguePage>& pages) {
  if (pages.empty()) return "<p>No page was relevant.</p>\n";
  std::string html =
      "<table><tr><th>page</th><th>decided by</th><th class=\"number\">relevance</th>"
      "<th class=\"number\">visit</th><th class=\"number\">depth</th></tr>\n";
  for (const CataloguePage& page : pages) {
    const std::string title = shortened(page.title, kMaxTitle);
    const std::string shown = shortened(page.final_url, kMaxTitle);
    html += fmt::format(
        "<tr><td>{}<div class=\"url\">{}</div></td><td class=\"why\">{}</td><td "
        "class=\"number\">{:.3f}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        anchor(page.final_url, title.empty() ? shown : title), html_escaped(shown),
        html_escaped(reason_words(page.reasons)), page.relevance, page.id + 1, page.depth);
  }
  return html + "</table>\n";
}

std::string host_table(const std::vector<CatalogueHost>& hosts) {
  std::string html =
      "<table><tr><th>host</th><th class=\"number\">pages</th><th class=\"number\">relevant</th>"
      "<th class=\"number\">harvest</th><th class=\"number\">failed</th><th "
      "class=\"number\">MB</th></tr>\n";
  for (const CatalogueHost& host : hosts) {
    const double harvest =
        static_cast<double>(host.relevant) / std::max(1.0, static_cast<double>(host.pages));
    html += fmt::format(
        "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{:.0f} %</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{:.1f}</td></tr>\n",
        html_escaped(shortened(host.host, kMaxTitle)), host.pages, host.relevant, 100 * harvest,
        host.failed, static_cast<double>(host.bytes) / 1e6);
  }
  return html + "</table>\n";
}

std::string word_list(const std::vector<TopWord>& words) {
  if (words.empty()) return "<p>Too few relevant pages for this list.</p>\n";
  std::string html = "<ul class=\"words\">\n";
  for (const auto& [word, strength] : words) {
    html += fmt::format("<li><span class=\"bar\" style=\"width:{:.0f}px\"></span>{}</li>\n",
                        4 + 70 * strength / words.front().second, html_escaped(word));
  }
  return html + "</ul>\n";
}

std::string figure(const std::string& value, std::string_view label) {
  return fmt::format("<div class=\"figure\"><b>{}</b><span>{}</span></div>", value, label);
}

std::string advice_section(const std::optional<Advice>& advice) {
  if (!advice) return "<p>Too few pages were fetched for an estimate.</p>\n";
  std::string html;
  if (advice->can_tell()) {
    const auto range = [](double about, double low, double high) {
      return fmt::format("{:.0f} <span>({:.0f} to {:.0f})</span>", about, low, high);
    };
    html = "<div class=\"figures\">";
    html += figure(range(advice->remaining, advice->low, advice->high), "relevant pages left");
    html += figure(range(advice->next_thousand, advice->next_low, advice->next_high),
                   "in the next thousand fetches");
    html +=
        figure(fmt::format("{:.0f} %", 100 * advice->recall()), "share of reachable pages found");
    html += "</div>\n";
  }
  return html +
         fmt::format("<p>{}</p>\n<p class=\"why\">Estimated from how the harvest falls.</p>\n",
                     html_escaped(recommendation(*advice)));
}

std::string senses_section(const std::vector<SenseOfPages>& senses) {
  if (senses.empty()) return "";
  std::string html =
      "<h2>Several meanings?</h2>\n<p>The relevant pages fall into groups that have little in "
      "common "
      "but the words of the topic. <code>dowser rejudge DIR --sense N</code> keeps one of "
      "them.</p>\n<table><tr><th class=\"number\">sense</th><th "
      "class=\"number\">pages</th><th>words</th><th>typical "
      "page</th></tr>\n";
  for (size_t i = 0; i < senses.size(); ++i) {
    html += fmt::format(
        "<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td><td>{}</td></tr>\n",
        i + 1, senses[i].urls.size(), html_escaped(senses[i].words),
        html_escaped(senses[i].urls.front()));
  }
  return html + "</table>\n";
}

}  // namespace

Result<std::string> report_html(const ReportInput& input) {
  Result<CatalogueReader> catalogue = CatalogueReader::open(input.catalogue);
  if (!catalogue) return catalogue.error();
  const Result<std::vector<bool>> found = catalogue->harvest();
  if (!found) return found.error();
  const auto pages = catalogue->best_pages(kBestPages);
  if (!pages) return pages.error();
  const auto hosts = catalogue->hosts(kHosts);
  if (!hosts) return hosts.error();
  const Result<size_t> host_count = catalogue->host_count();
  if (!host_count) return host_count.error();
  const Result<CatalogueCounts> counts = catalogue->page_counts();
  if (!counts) return counts.error();
  const Result<std::string> repeated = links_on_most_pages(*catalogue);
  if (!repeated) return repeated.error();
  const Result<std::string> borderline = borderline_pages(*catalogue, input.threshold);
  if (!borderline) return borderline.error();

  const Result<std::string> documents = documents_section(*catalogue);
  if (!documents) return documents.error();

  const Curve curve = curve_of(*found);
  const double harvest = curve.fetched ? 100.0 * static_cast<double>(curve.relevant) /
                                             static_cast<double>(curve.fetched)
                                       : 0;
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">{6}"
      "<meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{0}</title><style>{1}{5}</style></head><body>\n"
      "<h1>{0}</h1>\n<p class=\"about\">A focused crawl by Dowser. Strategy <b>{2}</b>, judge "
      "<b>{3}</b>, relevant from "
      "{4:.4g} on.</p>\n<div class=\"figures\">",
      html_escaped(input.topic), kStyle, html_escaped(input.strategy), html_escaped(input.judge),
      input.threshold, kBorderlineStyle, kMadeByDowser);
  html += figure(std::to_string(curve.relevant), "relevant pages");
  if (input.doubtful > 0) html += figure(std::to_string(input.doubtful), "doubtful pages");
  html += figure(std::to_string(curve.fetched), "pages fetched");
  html += figure(fmt::format("{:.1f} %", harvest), "harvest rate");
  html += figure(std::to_string(*host_count), *host_count == 1 ? "host" : "hosts");
  html += figure(std::to_string(counts->failed), "failed");
  html += "</div>\n";
  for (const std::string& doubt : input.doubts) {
    html += "<p><b>" + html_escaped(doubt) + "</b></p>\n";
  }
  html += "<h2>Harvest</h2>\n" + plots(curve);
  html += "<h2>Continue or stop?</h2>\n";
  html += input.doubts.empty()
              ? advice_section(input.advice)
              : "<p>How many relevant pages are left cannot be estimated while those "
                "that were found may be about another subject.</p>\n";
  for (const std::string& hint : input.hints) html += "<p>" + html_escaped(hint) + "</p>\n";
  html += senses_section(input.senses);
  html += "<h2>Words of the relevant pages</h2>\n" + word_list(input.words);
  if (!input.clusters.empty()) html += "<h2>Clusters</h2>\n" + input.clusters;
  html += "<h2>Best pages</h2>\n" + page_table(*pages);
  html += "<h2>Borderline pages</h2>\n" + *borderline;
  if (!documents->empty()) html += "<h2>Documents</h2>\n" + *documents;
  html += "<h2>Hosts</h2>\n" + host_table(*hosts);
  html += "<h2>Links on most pages</h2>\n" + *repeated;
  return html + kBorderlineScript + "</body></html>\n";
}

}  // namespace dowser
