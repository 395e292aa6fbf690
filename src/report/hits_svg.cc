#include "report/hits_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/shorten.h"
#include "report/html.h"

namespace dowser {
namespace {

constexpr int kCell = 12, kLabels = 260, kTop = 150, kGap = 8, kMargin = 12;

// The columns: by the cluster in whose rows they have most hits, so that clusters show as blocks.
std::vector<uint32_t> ordered_columns(const HitsArray& array, const HitsClusters& clusters,
                                      size_t most) {
  const size_t n = array.signatures.size();
  std::vector<std::vector<double>> weight(n, std::vector<double>(clusters.clusters.size()));
  std::vector<double> total(n);
  for (size_t i = 0; i < array.rows.size(); ++i) {
    for (const HitCount& hit : array.rows[i].hits) {
      const double w = std::log1p(static_cast<double>(hit.count));
      const uint32_t c = clusters.cluster_of[i];
      weight[hit.signature][c] += w / static_cast<double>(clusters.clusters[c].rows.size());
      total[hit.signature] += w;
    }
  }
  std::vector<uint32_t> columns(n);
  std::iota(columns.begin(), columns.end(), 0u);
  std::erase_if(columns, [&](uint32_t s) { return total[s] == 0; });
  std::stable_sort(columns.begin(), columns.end(),
                   [&](uint32_t a, uint32_t b) { return total[a] > total[b]; });
  if (columns.size() > most) columns.resize(most);
  const auto best = [&](uint32_t s) {
    return std::max_element(weight[s].begin(), weight[s].end()) - weight[s].begin();
  };
  std::stable_sort(columns.begin(), columns.end(),
                   [&](uint32_t a, uint32_t b) { return best(a) < best(b); });
  return columns;
}

}  // namespace

std::string words_of_signature(std::string_view name) {
  if (!name.starts_with("tr_")) return std::string(name);
  name.remove_prefix(3);
  if (const size_t last = name.rfind('_'); last != name.npos) name = name.substr(0, last);
  std::string words(name);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string label_of_signature(std::string_view name) {
  const std::string words = words_of_signature(name);
  const std::string_view number = name.substr(std::min(name.rfind('_'), name.size() - 1) + 1);
  if (words == name || number == "1") return words;
  return fmt::format("{} ({})", words, number);
}

std::string hits_svg(const HitsArray& array, const HitsClusters& clusters, size_t most) {
  const std::vector<uint32_t> columns = ordered_columns(array, clusters, most);
  std::vector<int> column_of(array.signatures.size(), -1);
  for (size_t i = 0; i < columns.size(); ++i) column_of[columns[i]] = static_cast<int>(i);
  // Of each cluster the same share of its rows.
  const double share = std::min(
      1.0, static_cast<double>(most) / static_cast<double>(std::max<size_t>(1, array.rows.size())));

  std::string body;
  int y = kTop;
  size_t drawn = 0;
  for (size_t c = 0; c < clusters.clusters.size(); ++c) {
    const auto& rows = clusters.clusters[c].rows;
    const auto count = std::max<size_t>(
        1, static_cast<size_t>(std::llround(share * static_cast<double>(rows.size()))));
    fmt::format_to(std::back_inserter(body),
                   "<text class=\"c\" x=\"{}\" y=\"{}\">cluster {} ({})</text>\n", kMargin, y + 11,
                   c + 1, rows.size());
    y += kCell + 4;
    for (size_t r = 0; r < std::min(count, rows.size()); ++r) {
      const HitsRow& row = array.rows[rows[r]];
      const std::string& label = row.title.empty() ? row.document : row.title;
      fmt::format_to(std::back_inserter(body),
                     "<text x=\"{}\" y=\"{}\">{}<title>{}</title></text>\n", kMargin, y + 10,
                     html_escaped(shortened(label, 40)), html_escaped(row.document));
      for (const HitCount& hit : row.hits) {
        const int column = column_of[hit.signature];
        if (column < 0) continue;
        const double dark =
            std::min(1.0, 0.25 + 0.25 * std::log2(static_cast<double>(hit.count) + 1));
        fmt::format_to(std::back_inserter(body),
                       "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill-opacity=\"{:.2f}\">"
                       "<title>{}: {}</title></rect>\n",
                       kLabels + column * kCell, y, kCell - 1, kCell - 1, dark,
                       html_escaped(array.signatures[hit.signature]), hit.count);
      }
      y += kCell;
      ++drawn;
    }
    y += kGap;
  }
  std::string heads;
  for (size_t i = 0; i < columns.size(); ++i) {
    const int x = kLabels + static_cast<int>(i) * kCell + 9;
    fmt::format_to(std::back_inserter(heads),
                   "<text transform=\"translate({},{}) rotate(-60)\">{}</text>\n", x, kTop - 4,
                   html_escaped(shortened(label_of_signature(array.signatures[columns[i]]), 30)));
  }
  if (drawn < array.rows.size() || columns.size() < array.signatures.size()) {
    fmt::format_to(
        std::back_inserter(body),
        "<text x=\"{}\" y=\"{}\">{} of {} documents and {} of {} signatures are drawn</text>\n",
        kMargin, y + 12, drawn, array.rows.size(), columns.size(), array.signatures.size());
    y += 20;
  }
  const int width = kLabels + static_cast<int>(columns.size()) * kCell + 90;
  return fmt::format(
      "<svg class=\"hits\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} "
      "{1}\">\n"
      "<style>.hits text{{font:10px sans-serif;fill:#333}} .hits .c{{font-weight:bold}} "
      "rect{{fill:#1f5fa8}}</style>\n"
      "<rect width=\"{0}\" height=\"{1}\" style=\"fill:#fff\"/>\n{2}{3}</svg>\n",
      width, y + kMargin, heads, body);
}

}  // namespace dowser
