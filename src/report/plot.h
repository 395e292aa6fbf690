#pragma once

#include <string>
#include <vector>

// Line plots as SVG, for report.html.

namespace dowser {

struct PlotLine {
  std::string label;
  std::string css_class;  // colour and stroke are the page's business
  std::vector<std::pair<double, double>> points;
  // Of each point, how low and how high it may be; drawn as a band. Empty: no band.
  std::vector<std::pair<double, double>> band;
};

struct Plot {
  std::string x_label;
  std::string y_label;
  double x_max = 1;
  double y_max = 1;
  bool y_percent = false;
  std::vector<PlotLine> lines;
  double x_min = 0;
  bool x_whole = false;  // x counts something: no fraction is labelled
};

std::string plot_svg(const Plot& plot);

}  // namespace dowser
