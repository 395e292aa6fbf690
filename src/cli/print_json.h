#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "text/printable.h"

namespace dowser {

// Prints the one JSON object of `--json`. Texts in it may come from the web: what is not UTF-8 is
// replaced, and what a terminal would obey is escaped.
template <class Json>
void print_json(const Json& json, int indent = -1) {
  fmt::print("{}\n", printable_json(json.dump(indent, ' ', false, Json::error_handler_t::replace)));
}

}  // namespace dowser
