#pragma once

#include <string>
#include <utility>
#include <vector>

// The page that `dowser diff --to` writes. It knows no crawls, only what is shown.

namespace dowser {

struct DiffSection {
  std::string title;
  std::string note;
  std::vector<std::string> heads;              // of the columns
  std::vector<std::vector<std::string>> rows;  // a cell that is an address becomes a link
  size_t left_out = 0;                         // rows that are not shown
};

struct DiffChart {
  std::string title, y_label;
  // A line for each name: a value for each crawl, at its number from 1 on.
  std::vector<std::pair<std::string, std::vector<std::pair<double, double>>>> lines;
};

struct DiffPage {
  std::string title, about;
  std::vector<std::pair<std::string, std::string>> figures;  // number, what it counts
  std::vector<DiffChart> charts;
  std::vector<DiffSection> sections;
};

// One file, no script, no network.
std::string diff_html(const DiffPage& page);

}  // namespace dowser
