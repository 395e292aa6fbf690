#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "report/html.h"
#include "report/numbers.h"
#include "report/topics_report.h"

// The report of `dowser topics`: for each keyword the topics with their scores, and for each topic
// the pages, lists and headings that it was found in. With several keywords, first a map of them.

namespace dowser {
namespace {

constexpr size_t kEvidence = 12;  // items of a topic

constexpr char kStyle[] = R"css(
:root { color-scheme: light dark; --ink: #1d2733; --soft: #65727f; --line: #dfe5ea;
  --paper: #fff; --good: #0b7a62; --blue: #2b62c4; --bar: #cfe9e1; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --soft: #98a4b0; --line: #333d47;
  --paper: #161c22; --good: #4cc7a6; --blue: #7ca8f5; --bar: #1f4a40; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0 auto; max-width: 1080px; padding: 28px 20px 60px; }
h1 { font-size: 26px; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 20px; margin: 38px 0 6px; overflow-wrap: anywhere; }
h3 { font-size: 16px; margin: 26px 0 6px; }
p { margin: 6px 0; }
.about, .why { color: var(--soft); }
.why { font-size: 13px; }
a { color: var(--blue); text-decoration: none; overflow-wrap: anywhere; }
a:hover { text-decoration: underline; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { font-size: 13px; color: var(--soft); font-weight: 500; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.topic { min-width: 210px; overflow-wrap: anywhere; }
.star { color: var(--good); }
.bar { background: linear-gradient(var(--bar), var(--bar)) no-repeat 100% 50% / var(--w) 78%; }
summary { cursor: pointer; }
details ul { margin: 4px 0 8px; padding-left: 18px; font-size: 13px; }
details li { overflow-wrap: anywhere; }
.heading { color: var(--soft); }
svg { display: block; max-width: none; }
svg text { font-size: 13px; fill: var(--ink); }
svg .leaf { fill: var(--soft); }
svg path { fill: none; stroke: var(--good); }
svg .again { stroke: var(--blue); stroke-dasharray: 3 4; }
)css";

std::string count_text(const std::optional<uint64_t>& count) {
  return count ? grouped(*count) : "?";
}

// Ten decimals where the seed's tables have them, but short where a score is large enough.
std::string score_text(double score) {
  if (score == 0) return "0";
  return score >= 0.0001 ? fmt::format("{:.4f}", score) : fmt::format("{:.1e}", score);
}

class TopicsPage {
 public:
  explicit TopicsPage(const TopicMap& map) : map_(map) {}

  std::string html() const {
    const std::string title =
        map_.nodes.empty() ? "Topics" : fmt::format("Topics of “{}”", map_.nodes.front().phrase);
    std::string page = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>{0}</title><style>{1}</style></head><body>\n"
        "<h1>{0}</h1>\n",
        html_escaped(title), kStyle);
    if (map_.found.size() > 1) page += map_svg();
    for (const TopicsFound& found : map_.found) page += section(found);
    return page + "</body></html>\n";
  }

 private:
  static std::string about(const TopicsFound& f) {
    std::string text = fmt::format(
        "{} pages{}, {} lists with {} items, {} candidates. Numbers of pages by {}: ",
        grouped(f.usable), f.noisy > 0 ? fmt::format(" ({} of them noisy)", f.noisy) : "",
        grouped(f.items.lists), grouped(f.items.items.size()), grouped(f.topics.size()),
        html_escaped(f.counts));
    text += f.collection ? fmt::format("{} of {} contain the keyword.", count_text(f.keyword_count),
                                       count_text(f.collection))
                         : fmt::format("{} contain the keyword.", count_text(f.keyword_count));
    return text;
  }

  std::string section(const TopicsFound& found) const {
    std::string html = fmt::format("<h2>{}</h2>\n<p class=\"about\">{}</p>\n",
                                   html_escaped(found.keyword), about(found));
    for (const std::string& warning : found.warnings) {
      html += fmt::format("<p>{}</p>\n", html_escaped(warning));
    }
    html += table(found, TopicType::kOne, "Type I: sub-topics",
                  found.collection
                      ? fmt::format("S1 is at least 0.005, and the probability p that chance gives "
                                    "this number of pages with both is at most 0.01 / {}.",
                                    std::max<size_t>(1, found.candidates_tested))
                      : "S1 is at least 0.005.");
    html += table(found, TopicType::kTwo, "Type II: hardly related", "");
    html += table(found, TopicType::kThree, "Type III: more general than the keyword",
                  "More pages contain these than the keyword, or their number is not known.");
    return html;
  }

  std::string table(const TopicsFound& found, TopicType type, std::string_view title,
                    std::string_view why) const {
    if (found.of_type(type) == 0 && type != TopicType::kOne) return "";
    std::string html;
    const bool folded = type != TopicType::kOne;
    html += folded ? fmt::format("<details><summary><b>{}</b> ({})</summary>\n", title,
                                 found.of_type(type))
                   : fmt::format("<h3>{} ({})</h3>\n", title, found.of_type(type));
    if (!why.empty()) html += fmt::format("<p class=\"why\">{}</p>\n", why);
    if (found.of_type(type) > 0) {
      html +=
          "<div class=\"scroll\"><table><tr><th>Topic</th><th class=\"number\">Support</th>"
          "<th class=\"number\">n(CP)</th><th class=\"number\">n(both)</th>";
      for (int i = 1; i <= 6; ++i) html += fmt::format("<th class=\"number\">S{}</th>", i);
      if (found.collection) {
        html += "<th class=\"number\">By chance</th><th class=\"number\">p</th>";
      }
      html += "</tr>\n";
      double most = 0;
      for (const ScoredTopic& topic : found.topics) {
        if (topic.type == type) most = std::max(most, topic.scores.s1);
      }
      for (const ScoredTopic& topic : found.topics) {
        if (topic.type == type) html += row(found, topic, most);
      }
      html += "</table></div>\n";
    }
    return html + (folded ? "</details>\n" : "");
  }

  static std::string row(const TopicsFound& found, const ScoredTopic& topic, double most) {
    const TopicScores& s = topic.scores;
    std::string html = fmt::format(
        "<tr><td class=\"topic\"><details><summary>{}{}</summary>{}</details></td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td class=\"number bar\" style=\"--w:{:.0f}%\">{}</td>",
        html_escaped(topic.candidate.phrase),
        topic.candidate.starred ? " <span class=\"star\" title=\"a heading or item above it "
                                  "contains the keyword\">★</span>"
                                : "",
        evidence(found, topic.candidate), topic.candidate.support,
        count_text(topic.counts.candidate), count_text(topic.counts.both),
        most > 0 ? 100 * s.s1 / most : 0, score_text(s.s1));
    for (const double score : {s.s2, s.s3, s.s4, s.s5, s.s6}) {
      html += fmt::format("<td class=\"number\">{}</td>", score_text(score));
    }
    if (topic.chance) {
      html += fmt::format(
          "<td class=\"number\" title=\"{:.1f} if hosts and pages were all alike\">{:.1f}</td>"
          "<td class=\"number\">{:.1e}</td>",
          topic.chance->expected, topic.chance->by_host, topic.chance->p_value);
    }
    return html + "</tr>\n";
  }

  static std::string evidence(const TopicsFound& found, const TopicCandidate& candidate) {
    std::string html = "<ul>";
    size_t shown = 0;
    for (const uint32_t number : candidate.items) {
      if (shown++ == kEvidence) {
        html += fmt::format("<li>and {} more</li>", candidate.items.size() - kEvidence);
        break;
      }
      const ListItem& item = found.items.items[number];
      const ItemPage& page = found.items.pages[item.page];
      const std::string& heading = found.items.headings[item.heading];
      html += fmt::format(
          "<li><a href=\"{}\">{}</a>{}: {}{}</li>", html_escaped(page.url),
          html_escaped(page.title.empty() ? page.url : page.title),
          heading.empty()
              ? ""
              : fmt::format(" <span class=\"heading\">› {}</span>", html_escaped(heading)),
          html_escaped(item.text), item.starred ? " <span class=\"star\">★</span>" : "");
    }
    return html + "</ul>";
  }

  // Each phrase stands once, after the keyword that it was first found for; other findings of it
  // are dashed.
  std::string map_svg() const {
    constexpr double kRow = 22, kColumn = 300, kMargin = 14;
    std::vector<std::vector<size_t>> children(map_.nodes.size());
    std::vector<bool> placed(map_.nodes.size());
    std::vector<const TopicMap::Edge*> again;
    if (!placed.empty()) placed[0] = true;
    for (const TopicMap::Edge& edge : map_.edges) {
      if (placed[edge.to]) {
        again.push_back(&edge);
      } else {
        placed[edge.to] = true;
        children[edge.from].push_back(edge.to);
      }
    }
    std::vector<double> x(map_.nodes.size()), y(map_.nodes.size());
    double rows = 0, columns = 0;
    const std::function<void(size_t, double)> place = [&](size_t node, double column) {
      x[node] = kMargin + column * kColumn;
      columns = std::max(columns, column);
      if (children[node].empty()) {
        y[node] = kMargin + kRow * rows++;
        return;
      }
      for (const size_t child : children[node]) place(child, column + 1);
      y[node] = (y[children[node].front()] + y[children[node].back()]) / 2;
    };
    place(0, 0);
    const double width = (columns + 1) * kColumn, height = rows * kRow + 2 * kMargin;
    std::string svg = fmt::format(
        "<h2>Map</h2>\n<p class=\"why\">Lines lead from a keyword to its best topics; dashed lines "
        "lead to topics that were found before.</p>\n<div class=\"scroll\"><svg width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" aria-label=\"map of "
        "topics\">\n",
        width, height);
    const auto line = [&](size_t from, size_t to, double s1, bool is_again) {
      const double begin = x[from] + std::min(kColumn - 60, 7.2 * width_of(from) + 8);
      const double end = x[to] - 6;
      svg += fmt::format(
          "<path class=\"{}\" stroke-width=\"{:.1f}\" d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} "
          "{:.1f} {:.1f} {:.1f}\"/>\n",
          is_again ? "again" : "", is_again ? 1 : 1 + 4 * std::min(1.0, s1), begin, y[from],
          (begin + end) / 2, y[from], (begin + end) / 2, y[to], end, y[to]);
    };
    for (const TopicMap::Edge* edge : again) line(edge->from, edge->to, edge->s1, true);
    for (const TopicMap::Edge& edge : map_.edges) {
      const auto& own = children[edge.from];
      if (std::find(own.begin(), own.end(), edge.to) != own.end()) {
        line(edge.from, edge.to, edge.s1, false);
      }
    }
    for (size_t i = 0; i < map_.nodes.size(); ++i) {
      svg += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                         map_.nodes[i].found ? "" : "leaf", x[i], y[i] + 4,
                         html_escaped(map_.nodes[i].phrase));
    }
    return svg + "</svg></div>\n" +
           (map_.budget_is_spent ? "<p class=\"why\">The budget of keywords is used up.</p>\n"
                                 : "");
  }

  double width_of(size_t node) const {
    const std::string& phrase = map_.nodes[node].phrase;
    return static_cast<double>(
        std::count_if(phrase.begin(), phrase.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  }

  const TopicMap& map_;
};

}  // namespace

std::string topics_html(const TopicMap& map) { return TopicsPage(map).html(); }

}  // namespace dowser
