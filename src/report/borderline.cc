#include "report/borderline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/shorten.h"
#include "report/html.h"

namespace dowser {

const char kBorderlineStyle[] = R"css(
.threshold { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: center;
  margin: 0 0 10px; }
.threshold input { flex: 1 1 220px; min-width: 0; accent-color: var(--good); }
.sides { display: grid; gap: 8px 28px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); }
.sides h3 { font-size: 14px; font-weight: 600; margin: 0 0 4px; }
.sides td { overflow-wrap: anywhere; }
)css";

// The pages of both tables are one list by relevance; the slider moves the border between them.
const char kBorderlineScript[] = R"js(<script>
(() => {
  const box = document.getElementById('borderline');
  if (!box) return;
  const more = JSON.parse(box.dataset.above), now = +box.dataset.threshold;
  const slider = box.querySelector('input'), said = box.querySelector('output');
  const sides = box.querySelectorAll('tbody'), shown = +box.dataset.shown;
  const rows = [...sides[0].rows, ...sides[1].rows];
  const atLeast = t => more[Math.min(more.length - 1, Math.max(0, Math.ceil(t * 1000 - 1e-9)))];
  const show = () => {
    const same = Math.abs(slider.value - now) < 0.0005, t = same ? now : +slider.value;
    const above = rows.filter(r => +r.dataset.r >= t).sort((a, b) => a.dataset.r - b.dataset.r);
    const below = rows.filter(r => +r.dataset.r < t).sort((a, b) => b.dataset.r - a.dataset.r);
    [above, below].forEach((list, side) => list.forEach((row, i) => {
      row.hidden = i >= shown;
      sides[side].append(row);
    }));
    const pages = same ? +box.dataset.now : atLeast(t), change = pages - box.dataset.now;
    said.textContent = `from ${t.toFixed(3)} on: ${pages} relevant page${pages == 1 ? '' : 's'}` +
      (same ? ', as in this crawl' :
       change == 0 ? ', as many as now' : `, ${Math.abs(change)} ${change > 0 ? 'more' : 'fewer'}`);
  };
  slider.addEventListener('input', show);
  box.querySelector('.threshold').hidden = false;
  show();
})();
</script>
)js";

namespace {

constexpr size_t kShown = 12, kListed = 200;  // on each side
constexpr size_t kMaxTitle = 120;
constexpr size_t kSteps = 1000;
// The number of pages with at least 0, 0.001, … 1.
std::vector<size_t> counts_above(const std::vector<double>& relevances) {
  std::vector<size_t> above(kSteps + 1);
  for (const double relevance : relevances) {
    const double step = std::floor(relevance * kSteps + 1e-9);
    ++above[static_cast<size_t>(std::clamp(step, 0.0, static_cast<double>(kSteps)))];
  }
  for (size_t i = kSteps; i-- > 0;) above[i] += above[i + 1];
  return above;
}

struct Side {
  std::string rows;
  size_t pages = 0;
};

Side side_of(const std::vector<CataloguePage>& pages) {
  Side side;
  for (const CataloguePage& page : pages) {
    const std::string& url = page.final_url;
    const std::string title = shortened(page.title, kMaxTitle);
    const std::string name = html_escaped(title.empty() ? shortened(url, kMaxTitle) : title);
    const bool is_http = url.starts_with("http://") || url.starts_with("https://");
    side.rows += fmt::format(
        "<tr data-r=\"{0:.6f}\"{1}><td>{2}</td><td class=\"number\">{0:.3f}</td></tr>\n",
        page.relevance, side.pages < kShown ? "" : " hidden",
        is_http ? fmt::format("<a href=\"{}\" rel=\"noreferrer\">{}</a>", html_escaped(url), name)
                : name);
    ++side.pages;
  }
  return side;
}

std::string table(std::string_view heading, const Side& side) {
  return fmt::format(
      "<div><h3>{}</h3><table><thead><tr><th>page</th><th class=\"number\">relevance</th></tr>"
      "</thead><tbody>\n{}</tbody></table>{}</div>\n",
      heading, side.rows, side.pages == 0 ? "<p>None.</p>" : "");
}

std::string other_thresholds(const std::vector<size_t>& above) {
  std::string html =
      "<details><summary>Other thresholds</summary><table><tr><th class=\"number\">relevant "
      "from</th><th class=\"number\">pages</th></tr>\n";
  for (size_t step = 50; step < kSteps; step += 50) {
    html += fmt::format("<tr><td class=\"number\">{:.2f}</td><td class=\"number\">{}</td></tr>\n",
                        static_cast<double>(step) / kSteps, above[step]);
  }
  return html + "</table></details>\n";
}

}  // namespace

Result<std::string> borderline_pages(CatalogueReader& catalogue, double threshold) {
  const Result<std::vector<double>> relevances = catalogue.relevances();
  if (!relevances) return relevances.error();
  if (relevances->empty()) return std::string("<p>No page was judged.</p>\n");
  const auto relevant = catalogue.borderline(true, threshold, kListed);
  if (!relevant) return relevant.error();
  const auto others = catalogue.borderline(false, threshold, kListed);
  if (!others) return others.error();
  const Result<CatalogueCounts> counts = catalogue.page_counts();
  if (!counts) return counts.error();
  const std::vector<size_t> above = counts_above(*relevances);
  return fmt::format(
      "<p>Pages just above and just below the threshold of {0:.4g}: if those below are on your "
      "topic, choose a lower threshold.</p>\n<div id=\"borderline\" data-threshold=\"{0:.6f}\" "
      "data-now=\"{1}\" data-shown=\"{2}\" data-above=\"[{3}]\">\n<div class=\"threshold\" "
      "hidden><label for=\"threshold\">threshold</label><input id=\"threshold\" type=\"range\" "
      "min=\"0\" max=\"1\" step=\"0.001\" value=\"{0:.3f}\"><output></output></div>\n<div "
      "class=\"sides\">\n{4}{5}</div>\n</div>\n{6}",
      threshold, counts->relevant, kShown, fmt::join(above, ","),
      table("Relevant, but only just", side_of(*relevant)),
      table("Not relevant, but nearly", side_of(*others)), other_thresholds(above));
}

}  // namespace dowser
