#pragma once

#include <string>

#include "eval/comparison.h"

namespace dowser {

// A comparison as one HTML page that needs no network: table, curves with bands, who beats whom,
// and a section for each topic.
std::string compare_report(const Comparison& comparison);

}  // namespace dowser
