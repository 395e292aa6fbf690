#include "cli/print_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "text/printable.h"

namespace dowser {
namespace {

template <class Json>
void print(const Json& json, int indent) {
  fmt::print("{}\n", printable_json(json.dump(indent, ' ', false, Json::error_handler_t::replace)));
}

}  // namespace

void print_json(const nlohmann::ordered_json& json, int indent) { print(json, indent); }
void print_json(const nlohmann::json& json, int indent) { print(json, indent); }

}  // namespace dowser
