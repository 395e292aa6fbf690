#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// Moments as server logs write them.

namespace dowser {

struct LogTime {
  int64_t seconds = 0;  // since 1970, UTC
  int zone = 0;         // seconds east of Greenwich

  friend bool operator==(const LogTime&, const LogTime&) = default;
};

// "17/May/2015:10:05:03 +0000". Nothing if there is no such moment, here and below.
std::optional<LogTime> parse_log_time(std::string_view text);
// "2015-05-17T10:05:03+02:00"
std::optional<LogTime> parse_iso_time(std::string_view text);
// "2015-05-17" as seconds since 1970
std::optional<int64_t> parse_log_date(std::string_view text);
// "10:05:03" as seconds
std::optional<int> parse_log_clock(std::string_view text);

}  // namespace dowser
