#pragma once

#include <nlohmann/json_fwd.hpp>

namespace dowser {

// Prints the one JSON value of `--json`. Texts in it may come from the web: what is not UTF-8 is
// replaced, and what a terminal would obey is escaped.
void print_json(const nlohmann::ordered_json& json, int indent = -1);
void print_json(const nlohmann::json& json, int indent = -1);

}  // namespace dowser
