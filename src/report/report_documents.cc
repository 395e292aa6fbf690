#include "report/report_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "base/shorten.h"
#include "report/html.h"
#include "report/numbers.h"

namespace dowser {
namespace {

constexpr size_t kBestDocuments = 30;
constexpr size_t kMaxTitle = 200;
constexpr size_t kMostYears = 40;  // columns of the plot: the latest ones

// The order of the plot from bottom to top, and of the legend.
constexpr std::array<std::string_view, 5> kKinds = {"paper", "thesis", "report", "faq", "other"};

using Years = std::map<std::string, std::map<int, size_t>>;

struct Column {
  std::string label;
  std::array<size_t, kKinds.size()> counts{};
  size_t all() const {
    size_t sum = 0;
    for (const size_t n : counts) sum += n;
    return sum;
  }
};

constexpr int kUnknown = 0;

// A column for each year from the first to the last.
std::vector<Column> columns_of(const Years& years) {
  std::set<int> all;
  for (const auto& [kind, counts] : years) {
    for (const auto& [year, n] : counts) {
      if (year != kUnknown) all.insert(year);
    }
  }
  std::vector<Column> columns;
  const auto add = [&](int year, std::string label) {
    Column& column = columns.emplace_back();
    column.label = std::move(label);
    for (size_t i = 0; i < kKinds.size(); ++i) {
      const auto kind = years.find(std::string(kKinds[i]));
      if (kind == years.end()) continue;
      const auto count = kind->second.find(year);
      if (count != kind->second.end()) column.counts[i] = count->second;
    }
  };
  if (all.empty()) return columns;
  const int last = *all.rbegin();
  const int first = std::max(*all.begin(), last - static_cast<int>(kMostYears) + 1);
  for (int year = first; year <= last; ++year) add(year, std::to_string(year));
  return columns;
}

// Stacked bars: a column a year, a colour a kind.
std::string year_plot(const std::vector<Column>& columns) {
  constexpr double kWidth = 1000, kHeight = 240, kLeft = 44, kBottom = 34, kTop = 12;
  size_t most = 1;
  for (const Column& column : columns) most = std::max(most, column.all());
  const double step = (kWidth - kLeft) / static_cast<double>(std::max<size_t>(columns.size(), 1));
  const double unit = (kHeight - kBottom - kTop) / static_cast<double>(most);
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"documents by year and kind\">\n",
      kWidth, kHeight);
  for (const double share : {0.0, 0.5, 1.0}) {
    const double y = kHeight - kBottom - share * (kHeight - kBottom - kTop);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.4g}</text>\n",
        kLeft, kWidth, y, kLeft - 6, y + 4, share * static_cast<double>(most));
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    const double x = kLeft + static_cast<double>(i) * step;
    double y = kHeight - kBottom;
    for (size_t kind = 0; kind < kKinds.size(); ++kind) {
      const size_t n = columns[i].counts[kind];
      if (n == 0) continue;
      const double height = static_cast<double>(n) * unit;
      y -= height;
      svg += fmt::format(
          "<rect class=\"{0}\" x=\"{1:.1f}\" y=\"{2:.1f}\" width=\"{3:.1f}\" height=\"{4:.1f}\">"
          "<title>{5}: {6} {0}</title></rect>\n",
          kKinds[kind], x + step * 0.1, y, std::max(step * 0.8, 1.0), height, columns[i].label, n);
    }
    const bool is_shown = columns.size() <= 20 || i + 1 == columns.size() || i % 5 == 0;
    if (is_shown) {
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                         x + step / 2, kHeight - kBottom + 18, columns[i].label);
    }
  }
  return svg + "</svg>\n";
}

// Those without a year are many, and would make the columns of the others tiny.
std::string years_part(const Years& years) {
  size_t unknown = 0;
  for (const auto& [kind, counts] : years) {
    const auto count = counts.find(kUnknown);
    if (count != counts.end()) unknown += count->second;
  }
  const std::vector<Column> columns = columns_of(years);
  std::string html = "<h3>By year, each document once</h3>\n";
  if (!columns.empty()) html += year_plot(columns);
  if (unknown > 0) {
    html += fmt::format("<p class=\"why\">{} {} no year.</p>\n", grouped(unknown),
                        unknown == 1 ? "document has" : "documents have");
  }
  return html;
}

std::string legend(const DocumentCounts& counts) {
  std::string html = "<p class=\"legend\">";
  for (const std::string_view kind : kKinds) {
    const auto found = counts.kinds.find(std::string(kind));
    html += fmt::format("<span><i class=\"{0}\"></i>{0} {1}</span> ", kind,
                        grouped(found == counts.kinds.end() ? 0 : found->second));
  }
  return html + "</p>\n";
}

std::string authors_text(const std::string& json) {
  const auto list = nlohmann::json::parse(json, nullptr, false);
  std::string text;
  if (!list.is_array()) return text;
  for (const auto& one : list) {
    if (one.is_string()) text += (text.empty() ? "" : ", ") + one.get<std::string>();
  }
  return shortened(text, kMaxTitle);
}

std::string document_table(const std::vector<CatalogueDocument>& documents) {
  if (documents.empty()) return "<p>No document is both relevant and accepted by the filter.</p>\n";
  std::string html =
      "<table><tr><th>document</th><th>kind</th><th class=\"number\">year</th>"
      "<th class=\"number\">relevance</th></tr>\n";
  for (const CatalogueDocument& d : documents) {
    const std::string authors = authors_text(d.authors);
    const std::string title = shortened(d.title.empty() ? d.name : d.title, kMaxTitle);
    const bool is_web = d.url.starts_with("http://") || d.url.starts_with("https://");
    html += fmt::format(
        "<tr><td>{}<div class=\"url\">{}{}{}</div></td><td class=\"why\">{}, {}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{:.3f}</td></tr>\n",
        is_web ? fmt::format("<a href=\"{}\" rel=\"noreferrer\">{}</a>", html_escaped(d.url),
                             html_escaped(title))
               : html_escaped(title),
        html_escaped(authors), authors.empty() ? "" : "<br>",
        html_escaped(shortened(d.url, kMaxTitle)), html_escaped(d.kind), html_escaped(d.format),
        d.year == 0 ? "" : std::to_string(d.year), d.relevance);
  }
  return html + "</table>\n";
}

std::string failure_table(const std::map<std::string, size_t>& failures) {
  if (failures.empty()) return "";
  std::string html =
      "<h3>Documents without text</h3>\n<table><tr><th>failure</th><th "
      "class=\"number\">documents</th></tr>\n";
  for (const auto& [name, count] : failures) {
    html += fmt::format("<tr><td>{}</td><td class=\"number\">{}</td></tr>\n", html_escaped(name),
                        count);
  }
  return html + "</table>\n";
}

}  // namespace

Result<std::string> documents_section(CatalogueReader& catalogue) {
  const Result<DocumentCounts> counts = catalogue.document_counts();
  if (!counts) return counts.error();
  if (counts->documents == 0) return std::string();
  const auto years = catalogue.document_years();
  if (!years) return years.error();
  const auto best = catalogue.best_documents(kBestDocuments);
  if (!best) return best.error();
  std::string html = fmt::format(
      "<p>{} documents were fetched, {:.1f} MB: {} accepted by the filter (papers, theses, reports "
      "and FAQs), {} relevant, {} with the same bytes as another document, {} other formats of "
      "another document, {} without text.</p>\n",
      grouped(counts->documents), static_cast<double>(counts->bytes) / 1e6,
      grouped(counts->accepted), grouped(counts->relevant), grouped(counts->copies),
      grouped(counts->formats), grouped(counts->failed));
  html += years_part(*years);
  html += legend(*counts);
  html += "<h3>Best documents</h3>\n" + document_table(*best);
  return html + failure_table(counts->failures);
}

}  // namespace dowser
