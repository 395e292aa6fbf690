#include "report/hmm_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/html.h"
#include "report/session_svg.h"

namespace dowser {
namespace {

constexpr char kStyle[] = R"css(
:root { color-scheme: light dark; --ink: #1d2733; --soft: #65727f; --line: #dfe5ea;
  --paper: #fff; --heat: 11, 122, 98; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --soft: #98a4b0; --line: #333d47;
  --paper: #161c22; --heat: 76, 199, 166; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0 auto; max-width: 1120px; padding: 28px 20px 60px; }
h1 { font-size: 26px; margin: 0 0 4px; }
h2 { font-size: 18px; margin: 38px 0 6px; }
p { max-width: 50em; }
.about, .count { color: var(--soft); }
.count { font-size: 12px; }
table { border-collapse: collapse; }
td, th { padding: 5px 12px; border: 1px solid var(--line); text-align: right; }
th { font-weight: 500; color: var(--soft); text-align: left; }
.groups { display: grid; grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); gap: 18px; }
.group { border: 1px solid var(--line); border-radius: 8px; padding: 10px 16px; }
.group h3 { margin: 0 0 6px; font-size: 15px; }
.group p { margin: 6px 0; font-size: 13px; }
.picture { overflow: auto; border: 1px solid var(--line); max-height: 900px; background: #fff; }
)css";

std::string state_name(size_t i, size_t states) {
  if (i == 0) return "T0: target";
  const std::string hops = i == 1 ? "1 link" : fmt::format("{} links", i);
  return fmt::format("T{}: {}{}", i, hops, i + 1 == states ? " or more, or no path" : "");
}

std::string cluster_name(size_t i) { return i == 0 ? "targets" : fmt::format("group {}", i); }

std::string table(const CountMatrix& shares, const CountMatrix& counts,
                  const std::vector<std::string>& columns) {
  std::string out = "<table><tr><th></th>";
  for (const std::string& name : columns) out += fmt::format("<th>{}</th>", name);
  out += "</tr>\n";
  for (size_t r = 0; r < shares.rows; ++r) {
    out += fmt::format("<tr><th>{}</th>", state_name(r, shares.rows));
    for (size_t c = 0; c < shares.columns; ++c) {
      out += fmt::format(
          "<td style=\"background: rgba(var(--heat), {:.2f})\">{:.3f}<br><span "
          "class=\"count\">{}</span></td>",
          shares.at(r, c) * 0.6, shares.at(r, c), counts.at(r, c));
    }
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

std::string words(const std::vector<HmmFile::Word>& words) {
  std::vector<std::string> texts;
  for (const HmmFile::Word& w : words) texts.push_back(html_escaped(w.word));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string picture_of(const HmmFile& file, std::span<const std::pair<uint32_t, uint32_t>> links) {
  GraphPicture picture;
  picture.states = file.model.chain().states();
  picture.links.assign(links.begin(), links.end());
  const std::vector<uint32_t>& clusters = file.model.pages().parts().labels;
  for (size_t i = 0; i < file.addresses.size(); ++i) {
    std::string_view label = file.addresses[i];
    while (label.ends_with('/')) label.remove_suffix(1);
    label = label.substr(label.rfind('/') + 1);
    picture.nodes.push_back({fmt::format("{} · {}", label, clusters[i]), file.addresses[i],
                             file.model.states()[i], clusters[i] == 0});
  }
  return graph_svg(picture);
}

}  // namespace

std::string hmm_report(const HmmFile& file, std::span<const std::pair<uint32_t, uint32_t>> links) {
  const HmmModel& model = file.model;
  const HiddenMarkov::Parts& chain = model.chain().parts();
  const size_t states = model.chain().states();
  std::vector<uint32_t> sizes(model.clusters());
  for (const uint32_t cluster : model.pages().parts().labels) ++sizes[cluster];

  std::string out = fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>What was learned from "
      "browsing</title><style>{}</style>\n<h1>What was learned from browsing</h1>\n<p "
      "class=\"about\">{} session{}, {} pages, {} of them useful, {} links between them; {} words "
      "in {} dimensions.{}</p>\n",
      kStyle, file.sessions, file.sessions == 1 ? "" : "s", file.addresses.size(), sizes[0],
      file.links, file.words.size(), model.space().dimensions(),
      file.topics.empty() || file.topics.size() > 12
          ? ""
          : " Looking for: " + html_escaped(fmt::format("{}", fmt::join(file.topics, ", "))) + ".");
  if (model.knows_no_way()) {
    out +=
        "<p class=\"about\"><b>None of the visited pages links to a useful page, so this model "
        "knows nothing about the way to one.</b></p>\n";
  }
  std::vector<std::string> state_names, cluster_names;
  for (size_t i = 0; i < states; ++i) state_names.push_back(state_name(i, states));
  for (size_t i = 0; i < sizes.size(); ++i) {
    cluster_names.push_back(fmt::format("{} ({})", cluster_name(i), sizes[i]));
  }
  out += fmt::format(
      "<h2>Where links lead</h2>\n<p>A page is in the state T<i>i</i> if a useful page can be "
      "reached from it by <i>i</i> links, and not by fewer. The share of the links of a state "
      "(row) that lead to each state (column), and the number of links. {} page{} no path to a "
      "useful one.</p>\n{}",
      model.unreachable(), model.unreachable() == 1 ? " has" : "s have",
      table(chain.transitions, model.link_counts(), state_names));
  out += fmt::format(
      "<h2>What pages of a state look like</h2>\n<p>The share of the pages of a state (row) that "
      "belong to each group of similar pages (column), and their number.</p>\n{}",
      table(chain.emissions, model.cluster_counts(), cluster_names));
  out +=
      "<h2>The groups</h2>\n<p>The words that distinguish a group from the others.</p><div "
      "class=\"groups\">\n";
  for (size_t i = 0; i < file.clusters.size(); ++i) {
    out += fmt::format(
        "<div class=\"group\"><h3>{}: {} page{}</h3><p><b>By log odds:</b> {}</p><p><b>By mutual "
        "information:</b> {}</p></div>\n",
        cluster_name(i), sizes[i], sizes[i] == 1 ? "" : "s", words(file.clusters[i].by_log_odds),
        words(file.clusters[i].by_mutual_information));
  }
  out += fmt::format(
      "</div><h2>The pages</h2>\n<p>By state, with useful pages ringed; the number after a name is "
      "the group.</p><div class=\"picture\">{}</div>\n</html>\n",
      picture_of(file, links));
  return out;
}

}  // namespace dowser
