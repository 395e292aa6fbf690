#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "eval/comparison.h"

// The verdicts of a comparison as text, HTML and JSON. Verdicts belong to judges, so strategies
// that share a judge share a row: the mean over all of their crawls. The oracle's crawls are left
// out.

namespace dowser {

struct VerdictRow {
  std::string judge;
  std::vector<size_t> contestants;  // that use it
};
std::vector<VerdictRow> verdict_rows(const Comparison& comparison);

// Of all crawls of the row, by topic and draw.
Interval mean(const Comparison& comparison, const VerdictRow& row,
              const Comparison::Measure& measure);

// Each is empty if no crawl has verdicts that can be measured.
std::string verdict_table(const Comparison& comparison);
std::string verdict_html(const Comparison& comparison);  // a table and a reliability plot
nlohmann::ordered_json verdict_json(const Comparison& comparison);

}  // namespace dowser
