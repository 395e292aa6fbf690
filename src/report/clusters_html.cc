#include "report/clusters_html.h"

#include <fmt/format.h>

#include "base/shorten.h"
#include "report/hits_svg.h"
#include "report/html.h"
#include "report/plot.h"

namespace dowser {
namespace {

constexpr size_t kMarks = 6, kPages = 5, kRowsDrawn = 60, kLongest = 120;

std::string marks(const HitsArray& array, const HitsCluster& cluster) {
  std::string text;
  for (size_t i = 0; i < std::min(kMarks, cluster.marks.size()); ++i) {
    const auto& mark = cluster.marks[i];
    fmt::format_to(
        std::back_inserter(text), "{}{} <span class=\"why\">{:.0f} %</span>", i ? "<br>" : "",
        html_escaped(label_of_signature(array.signatures[mark.signature])), 100 * mark.share);
  }
  return text;
}

std::string pages(const HitsArray& array, const HitsCluster& cluster) {
  std::string text;
  for (size_t i = 0; i < std::min(kPages, cluster.rows.size()); ++i) {
    const HitsRow& row = array.rows[cluster.rows[i]];
    fmt::format_to(std::back_inserter(text), "{}<a href=\"{}\">{}</a>", i ? "<br>" : "",
                   html_escaped(row.document),
                   html_escaped(shortened(row.title.empty() ? row.document : row.title, kLongest)));
  }
  return text;
}

}  // namespace

std::string clusters_html(const HitsArray& array, const HitsClusters& clusters) {
  std::string html =
      "<p class=\"why\">Pages with a hit, grouped by the signatures that hit them. A signature is "
      "named by its three keywords, and by a number if several have the same keywords; next to it "
      "is the share of the cluster's pages that it hits.</p>\n<table><tr><th></th><th "
      "class=\"number\">pages</th><th>signatures</th><th>best pages</th></tr>\n";
  for (size_t c = 0; c < clusters.clusters.size(); ++c) {
    const HitsCluster& cluster = clusters.clusters[c];
    fmt::format_to(std::back_inserter(html),
                   "<tr><td>{}</td><td class=\"number\">{}</td><td>{}</td><td>{}</td></tr>\n",
                   c + 1, cluster.rows.size(), marks(array, cluster), pages(array, cluster));
  }
  return html + "</table>\n<div style=\"overflow-x:auto\">" +
         hits_svg(array, clusters, kRowsDrawn) + "</div>\n";
}

}  // namespace dowser
