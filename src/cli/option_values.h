#pragma once

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <string>

#include "base/clock.h"
#include "cli/arguments.h"

// Values of options that are not plain text. Each returns a function that sets `*value`, or refuses
// with a sentence that names the option and what it takes.

namespace dowser {

template <class Number>
Arguments::Set whole_number(Number* value, std::string option, uint64_t least,
                            uint64_t most = std::numeric_limits<Number>::max()) {
  return [=](std::string_view text) -> Status {
    uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, failed] = std::from_chars(text.data(), end, number);
    if (failed != std::errc() || stop != end || number < least || number > most) {
      const bool is_bounded = most < std::numeric_limits<Number>::max();
      return Error{fmt::format("--{} must be a whole number of at least {}{}, not '{}'", option,
                               least, is_bounded ? fmt::format(" and at most {}", most) : "",
                               text)};
    }
    *value = static_cast<Number>(number);
    return {};
  };
}

inline Arguments::Set real_number(double* value, std::string option, double least, double most) {
  return [=](std::string_view text) -> Status {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, failed] = std::from_chars(text.data(), end, number);
    if (failed != std::errc() || stop != end || !(number >= least && number <= most)) {
      return Error{
          fmt::format("--{} must be a number from {} to {}, not '{}'", option, least, most, text)};
    }
    *value = number;
    return {};
  };
}

// "90s", "10min": base/clock.h.
inline Arguments::Set duration(Duration* value, std::string option) {
  return [=](std::string_view text) -> Status {
    const Result<Duration> parsed = parse_duration(text);
    if (!parsed) return Error{fmt::format("--{}: {}", option, parsed.error().message)};
    *value = *parsed;
    return {};
  };
}

}  // namespace dowser
