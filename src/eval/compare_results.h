#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "eval/comparison.h"

// A comparison as text: a table for a terminal, JSON for programs. The same comparison gives the
// same bytes.

namespace dowser {

// A column of the tables.
struct Column {
  std::string_view name;   // in JSON and as heading
  std::string_view means;  // one sentence
  int digits;
  bool higher_is_better;
  Comparison::Measure measure;
};
const std::vector<Column>& columns();
// The same, and with sessions the measures of similarity to their goals.
std::vector<Column> columns_of(const Comparison& comparison);

std::string cell_text(const Interval& mean, const Column& column);  // "–" if nothing is known

// Contestants by mean focus, best first.
std::vector<size_t> by_focus(const Comparison& comparison);

std::string summary_table(const Comparison& comparison);
std::string summary_json(const Comparison& comparison);

// Everything: options, every curve of every contestant, topic and draw, means with intervals, and
// paired differences.
std::string results_json(const Comparison& comparison);

}  // namespace dowser
