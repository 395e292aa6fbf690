#include "document/conversion.h"

#include <array>

namespace dowser {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 10> kNames = {
    "",       "encrypted", "damaged",           "time",           "memory",
    "output", "no-text",   "converter-missing", "unknown-format", "not-confined"};

}  // namespace

std::string_view name_of(ConversionFailure failure) { return kNames[static_cast<size_t>(failure)]; }

std::optional<ConversionFailure> conversion_failure_named(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<ConversionFailure>(i);
  }
  return std::nullopt;
}

}  // namespace dowser
