#include "base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <fstream>
#include <thread>

namespace dowser {
namespace {

std::tm utc(Time t) {
  // Round towards the past, also before 1970.
  std::time_t seconds = t.micros / 1'000'000;
  if (t.micros % 1'000'000 < 0) --seconds;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return parts;
}

// Reads `digits` decimal digits at `pos`; -1 where there are none.
int number(std::string_view text, size_t pos, size_t digits) {
  int value = 0;
  if (pos + digits > text.size()) return -1;
  for (size_t i = pos; i < pos + digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

struct Unit {
  std::string_view name;
  double micros;
};
constexpr Unit kUnits[] = {{"ms", 1e3}, {"s", 1e6}, {"m", 60e6}, {"h", 3600e6}, {"d", 86400e6}};

Duration since_boot() {
  timespec time{};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return std::chrono::seconds(time.tv_sec) + Duration(time.tv_nsec / 1000);
}

std::string this_boot() {
  std::string id;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
  return id;
}

}  // namespace

std::string to_iso8601(Time t) {
  const std::tm p = utc(t);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", p.tm_year + 1900, p.tm_mon + 1,
                     p.tm_mday, p.tm_hour, p.tm_min, p.tm_sec);
}

std::string to_cdx_timestamp(Time t) {
  const std::tm p = utc(t);
  return fmt::format("{:04}{:02}{:02}{:02}{:02}{:02}", p.tm_year + 1900, p.tm_mon + 1, p.tm_mday,
                     p.tm_hour, p.tm_min, p.tm_sec);
}

Result<Time> parse_iso8601(std::string_view text) {
  // YYYY-MM-DDThh:mm:ss[.fraction]Z, as WARC 1.0 and 1.1 have it.
  const Error bad{fmt::format("'{}' is not a date like 2007-05-28T00:00:00Z", text)};
  if (text.size() < 20 || text.back() != 'Z' || text[4] != '-' || text[7] != '-' ||
      text[10] != 'T' || text[13] != ':' || text[16] != ':') {
    return bad;
  }
  const int year = number(text, 0, 4), month = number(text, 5, 2), day = number(text, 8, 2);
  const int hour = number(text, 11, 2), minute = number(text, 14, 2), second = number(text, 17, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 23 ||
      minute < 0 || minute > 59 || second < 0 || second > 60) {
    return bad;
  }
  int64_t fraction = 0;
  if (text[19] == '.') {
    int64_t unit = 100'000;
    for (size_t i = 20; i + 1 < text.size(); ++i, unit /= 10) {
      const int digit = number(text, i, 1);
      if (digit < 0) return bad;
      fraction += digit * unit;
    }
  } else if (text.size() != 20) {
    return bad;
  }
  std::tm parts{};
  parts.tm_year = year - 1900;
  parts.tm_mon = month - 1;
  parts.tm_mday = day;
  parts.tm_hour = hour;
  parts.tm_min = minute;
  parts.tm_sec = second;
  const std::time_t seconds = timegm(&parts);
  if (parts.tm_mday != day && second < 60) return bad;  // the 30th of February
  return Time{seconds * int64_t{1'000'000} + fraction};
}

Result<Duration> parse_duration(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, text.data() + text.size() - end);
  if (unit.empty()) unit = "s";
  for (const Unit& u : kUnits) {
    // 2^63 microseconds are 292,000 years; the bound also keeps out NaN.
    const double micros = value * u.micros;
    if (error == std::errc() && unit == u.name && micros >= 0 && micros < 0x1p62) {
      return Duration(std::llround(micros));
    }
  }
  return Error{fmt::format("'{}' is not a time: write 500ms, 90s, 15m, 2h or 1d", text)};
}

std::string format_duration(Duration d) {
  std::string shortest = fmt::format("{}ms", d.count() / 1e3);
  for (const Unit& u : kUnits) {
    const std::string text = fmt::format("{}{}", d.count() / u.micros, u.name);
    const Result<Duration> back = parse_duration(text);
    if (text.size() < shortest.size() && back.ok() && *back == d) shortest = text;
  }
  return shortest;
}

Time wall_time() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<Duration>(since).count()};
}

ClockMark mark_clock(const Clock& clock) {
  static const std::string boot = this_boot();
  return {clock.now(), wall_time(), since_boot(), boot};
}

Time continued(const ClockMark& mark) {
  const bool same_boot = !mark.boot.empty() && mark.boot == this_boot();
  const Duration passed = same_boot ? since_boot() - mark.since_boot : wall_time() - mark.wall;
  return mark.now + std::max(passed, Duration(0));
}

Time SystemClock::now() const {
  const auto elapsed = std::chrono::steady_clock::now() - steady_start_;
  return start_ + std::chrono::duration_cast<Duration>(elapsed);
}

void SystemClock::wait_until(Time t) {
  const Time start = now();
  if (t > start) std::this_thread::sleep_for(t - start);
}

}  // namespace dowser
