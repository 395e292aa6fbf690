#include "report/session_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/shorten.h"
#include "report/html.h"

// Columns from the farthest state at the left to the targets at the right, so that what leads to a
// target reads from left to right. Within a column pages are ordered by the mean height of the
// pages they are linked with in the columns next to it (Sugiyama et al. 1981), in a few sweeps.
// Short columns stand in the middle of the first screen, so that targets are seen at once next to a
// column of hundreds.

namespace dowser {
namespace {

constexpr int kColumn = 260, kRow = 26, kTop = 60, kRadius = 7, kSweeps = 8;
constexpr size_t kScreen = 24;  // rows
constexpr const char* kColours[] = {"#c1272d", "#e58a1f", "#d6b91e", "#5a9e5e",
                                    "#3f7fb5", "#6b5fa8", "#8c8c8c"};

const char* colour_of(uint32_t state) {
  return kColours[std::min<size_t>(state, std::size(kColours) - 1)];
}

// The pages that are drawn, in ascending order of number.
std::vector<uint32_t> drawn(const GraphPicture& picture, size_t most) {
  std::vector<size_t> links(picture.nodes.size());
  for (const auto& [from, to] : picture.links) ++links[from], ++links[to];
  std::vector<uint32_t> order(picture.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const auto &x = picture.nodes[a], &y = picture.nodes[b];
    return x.target != y.target ? x.target : links[a] > links[b];
  });
  if (order.size() > most) order.resize(most);
  std::sort(order.begin(), order.end());
  return order;
}

// The height of each page in its column, in rows.
std::vector<double> heights(const GraphPicture& picture,
                            std::vector<std::vector<uint32_t>>& columns) {
  std::vector<double> at(picture.nodes.size());
  const auto place = [&] {
    for (const auto& column : columns) {
      for (size_t i = 0; i < column.size(); ++i) at[column[i]] = static_cast<double>(i);
    }
  };
  place();
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    std::vector<double> sums(at.size()), counts(at.size());
    for (const auto& [a, b] : picture.links) {
      if (picture.nodes[a].state == picture.nodes[b].state) continue;
      sums[a] += at[b], ++counts[a];
      sums[b] += at[a], ++counts[b];
    }
    for (auto& column : columns) {
      std::stable_sort(column.begin(), column.end(), [&](uint32_t a, uint32_t b) {
        const double x = counts[a] > 0 ? sums[a] / counts[a] : at[a];
        const double y = counts[b] > 0 ? sums[b] / counts[b] : at[b];
        return x < y;
      });
    }
    place();
  }
  return at;
}

}  // namespace

std::string graph_svg(const GraphPicture& picture, size_t most) {
  const std::vector<uint32_t> shown = drawn(picture, most);
  std::vector<char> is_shown(picture.nodes.size());
  for (const uint32_t i : shown) is_shown[i] = true;
  std::vector<std::vector<uint32_t>> columns(picture.states);
  for (const uint32_t i : shown) {
    columns[std::min(picture.nodes[i].state, picture.states - 1)].push_back(i);
  }
  const std::vector<double> at = heights(picture, columns);
  size_t tallest = 1;
  for (const auto& column : columns) tallest = std::max(tallest, column.size());
  const int width = kColumn * static_cast<int>(picture.states) + 60;
  const int height = kTop + kRow * static_cast<int>(tallest) + 40;
  const auto x_of = [&](uint32_t i) {
    return 40 + kColumn * static_cast<int>(picture.states - 1 -
                                           std::min(picture.nodes[i].state, picture.states - 1));
  };
  const auto y_of = [&](uint32_t i) {
    const size_t own = columns[std::min(picture.nodes[i].state, picture.states - 1)].size();
    const size_t room = std::max(own, std::min(tallest, kScreen));
    return kTop + kRow * (at[i] + static_cast<double>(room - own) / 2 + 0.5);
  };

  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n<marker id=\"end\" viewBox=\"0 0 8 8\" refX=\"15\" refY=\"4\" "
      "markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
      "fill=\"#567\"/></marker>\n",
      width, height, width, height);
  for (uint32_t state = 0; state < picture.states; ++state) {
    const int x = 40 + kColumn * static_cast<int>(picture.states - 1 - state);
    const char* more = state + 1 == picture.states ? " or more, or no path" : "";
    const std::string name = state == 0   ? "targets"
                             : state == 1 ? fmt::format("1 link to a target{}", more)
                                          : fmt::format("{} links{}", state, more);
    out += fmt::format("<text x=\"{}\" y=\"24\" font-size=\"13\" fill=\"{}\">T{}: {} ({})</text>\n",
                       x - kRadius, colour_of(state), state, name, columns[state].size());
  }
  out +=
      "<g fill=\"none\" stroke=\"#567\" stroke-opacity=\"0.22\" "
      "marker-end=\"url(#end)\">\n";
  for (const auto& [from, to] : picture.links) {
    if (!is_shown[from] || !is_shown[to]) continue;
    const double x1 = x_of(from), y1 = y_of(from), x2 = x_of(to), y2 = y_of(to);
    const double bend = x1 == x2 ? 40 : 0;  // within a column, so that the line is seen
    out += fmt::format("<path d=\"M{} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {} {:.1f}\"/>\n", x1, y1,
                       x1 + (x2 - x1) / 2 - bend, y1, x1 + (x2 - x1) / 2 - bend, y2, x2, y2);
  }
  out += "</g>\n";
  for (const uint32_t i : shown) {
    const GraphPicture::Node& node = picture.nodes[i];
    const int x = x_of(i);
    const double y = y_of(i);
    out += fmt::format("<g><title>{}</title>", html_escaped(node.address));
    if (node.target) {
      out += fmt::format(
          "<circle cx=\"{}\" cy=\"{:.1f}\" r=\"{}\" fill=\"none\" stroke=\"#c1272d\" "
          "stroke-width=\"2\"/>",
          x, y, kRadius + 4);
    }
    out += fmt::format("<circle cx=\"{}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>", x, y, kRadius,
                       colour_of(node.state));
    out += fmt::format("<text x=\"{}\" y=\"{:.1f}\" fill=\"#222\">{}</text></g>\n", x + kRadius + 7,
                       y + 4, html_escaped(shortened(node.label, 32)));
  }
  if (shown.size() < picture.nodes.size()) {
    out += fmt::format(
        "<text x=\"40\" y=\"{}\" fill=\"#666\">{} pages with fewer links are not "
        "drawn</text>\n",
        height - 12, picture.nodes.size() - shown.size());
  }
  return out + "</svg>\n";
}

}  // namespace dowser
