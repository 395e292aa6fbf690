#include "report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.h"

namespace dowser {
namespace {

constexpr double kWidth = 640, kHeight = 300;
constexpr double kLeft = 58, kRight = 16, kTop = 14, kBottom = 44;

// 1, 2 or 5 times a power of ten, so that there are about five steps.
double nice_step(double max) {
  const double rough = max / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor >= rough) return power * factor;
  }
  return power * 10;
}

}  // namespace

std::string plot_svg(const Plot& plot) {
  const double inner_width = kWidth - kLeft - kRight, inner_height = kHeight - kTop - kBottom;
  const auto x_of = [&](double x) {
    return kLeft + (x - plot.x_min) / (plot.x_max - plot.x_min) * inner_width;
  };
  const auto y_of = [&](double y) { return kTop + (1 - y / plot.y_max) * inner_height; };
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} by {}\">\n", kWidth,
                  kHeight, html_escaped(plot.y_label), html_escaped(plot.x_label));
  const double y_step = nice_step(plot.y_max);
  for (double y = 0; y <= plot.y_max * 1.0001; y += y_step) {
    const std::string label =
        plot.y_percent ? fmt::format("{:.4g} %", 100 * y) : fmt::format("{:.6g}", y);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        kLeft, kWidth - kRight, y_of(y), kLeft - 7, y_of(y) + 4, label);
  }
  const double x_step = std::max(nice_step(plot.x_max - plot.x_min), plot.x_whole ? 1.0 : 0.0);
  for (double x = plot.x_min; x <= plot.x_max * 1.0001; x += x_step) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.6g}</text>\n",
                       x_of(x), kHeight - kBottom + 17, x);
  }
  svg += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" class=\"axis\">{}</text>\n",
      kLeft + inner_width / 2, kHeight - 7, html_escaped(plot.x_label));
  for (const PlotLine& line : plot.lines) {
    if (line.band.empty()) continue;
    svg += fmt::format("<polygon class=\"band {}\" points=\"", line.css_class);
    for (size_t i = 0; i < line.band.size(); ++i) {
      svg += fmt::format("{:.1f},{:.1f} ", x_of(line.points[i].first), y_of(line.band[i].second));
    }
    for (size_t i = line.band.size(); i-- > 0;) {
      svg += fmt::format("{:.1f},{:.1f} ", x_of(line.points[i].first), y_of(line.band[i].first));
    }
    svg += "\"/>\n";
  }
  for (const PlotLine& line : plot.lines) {
    svg += fmt::format("<polyline class=\"{}\" points=\"", line.css_class);
    for (const auto& [x, y] : line.points) svg += fmt::format("{:.1f},{:.1f} ", x_of(x), y_of(y));
    svg += fmt::format("\"><title>{}</title></polyline>\n", html_escaped(line.label));
  }
  return svg + "</svg>\n";
}

}  // namespace dowser
