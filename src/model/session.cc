#include "model/session.h"

#include <array>
#include <utility>

namespace dowser {
namespace {

constexpr std::array<std::pair<StepKind, std::string_view>, 5> kNames = {{
    {StepKind::kStart, "start"},
    {StepKind::kLink, "link"},
    {StepKind::kBack, "back"},
    {StepKind::kTab, "tab"},
    {StepKind::kUnknown, "unknown"},
}};

}  // namespace

std::string_view name_of(StepKind kind) {
  for (const auto& [k, name] : kNames) {
    if (k == kind) return name;
  }
  return "unknown";
}

std::optional<StepKind> step_kind_named(std::string_view text) {
  for (const auto& [kind, name] : kNames) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

}  // namespace dowser
