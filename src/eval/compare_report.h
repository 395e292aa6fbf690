#pragma once

#include <string>

#include "eval/comparison.h"

namespace dowser {

// A comparison as one HTML page that needs no network: the table, curves with bands, paired
// differences, and a section for each topic.
std::string compare_report(const Comparison& comparison);

}  // namespace dowser
