#pragma once

#include <fmt/format.h>

#include <filesystem>

#include "base/result.h"

namespace dowser {

// The error of a catalogue that cannot be used, with the command that finds the cause.
inline Error see_check(const Error& error, const std::filesystem::path& catalogue) {
  return Error{fmt::format("{}: dowser check {} says what is wrong", error.message,
                           catalogue.parent_path().string())};
}

}  // namespace dowser
