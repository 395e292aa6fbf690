#include "mine/log_time.h"

#include <string>

namespace dowser {
namespace {

std::optional<int> digits(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

// Days since 1970 of a date of the Gregorian calendar (Hinnant 2013, days_from_civil).
int64_t days_since_1970(int64_t year, int month, int day) {
  year -= month <= 2;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
         719468;
}

bool is_date(int year, int month, int day) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 1 || month > 12 || day < 1) return false;
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day <= kDays[month - 1] + (month == 2 && leap);
}

// 1 … 12, or 0.
int month_named(std::string_view name) {
  constexpr std::string_view kNames = "JanFebMarAprMayJunJulAugSepOctNovDec";
  for (int month = 0; month < 12; ++month) {
    if (kNames.substr(static_cast<size_t>(month) * 3, 3) == name) return month + 1;
  }
  return 0;
}

// "+0530" as seconds east of Greenwich.
std::optional<int> zone_seconds(std::string_view text) {
  if (text.size() != 5 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const auto h = digits(text.substr(1, 2)), m = digits(text.substr(3, 2));
  if (!h || !m || *h > 15 || *m > 59) return std::nullopt;
  const int seconds = *h * 3600 + *m * 60;
  return text[0] == '-' ? -seconds : seconds;
}

}  // namespace

std::optional<int> parse_log_clock(std::string_view text) {
  if (text.size() != 8 || text[2] != ':' || text[5] != ':') return std::nullopt;
  const auto h = digits(text.substr(0, 2)), m = digits(text.substr(3, 2)),
             s = digits(text.substr(6, 2));
  if (!h || !m || !s || *h > 23 || *m > 59 || *s > 60) return std::nullopt;
  return *h * 3600 + *m * 60 + *s;
}

std::optional<int64_t> parse_log_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = digits(text.substr(0, 4)), month = digits(text.substr(5, 2)),
             day = digits(text.substr(8, 2));
  if (!year || !month || !day || !is_date(*year, *month, *day)) return std::nullopt;
  return days_since_1970(*year, *month, *day) * 86400;
}

std::optional<LogTime> parse_iso_time(std::string_view text) {
  if (text.size() < 19 || (text[10] != 'T' && text[10] != ' ')) return std::nullopt;
  const auto date = parse_log_date(text.substr(0, 10));
  const auto clock = parse_log_clock(text.substr(11, 8));
  if (!date || !clock) return std::nullopt;
  const std::string_view zone = text.substr(19);
  if (zone.empty() || zone == "Z") return LogTime{*date + *clock, 0};
  if (zone.size() != 6 || zone[3] != ':') return std::nullopt;
  const auto seconds = zone_seconds(std::string(zone.substr(0, 3)) + std::string(zone.substr(4)));
  if (!seconds) return std::nullopt;
  return LogTime{*date + *clock - *seconds, *seconds};
}

std::optional<LogTime> parse_log_time(std::string_view text) {
  if (text.size() < 20 || text[2] != '/' || text[6] != '/' || text[11] != ':') return std::nullopt;
  const auto day = digits(text.substr(0, 2)), year = digits(text.substr(7, 4));
  const int month = month_named(text.substr(3, 3));
  const auto clock = parse_log_clock(text.substr(12, 8));
  if (!day || !year || !clock || !is_date(*year, month, *day)) return std::nullopt;
  int zone = 0;
  if (text.size() > 20) {
    const auto seconds = text[20] == ' ' ? zone_seconds(text.substr(21)) : std::nullopt;
    if (!seconds) return std::nullopt;
    zone = *seconds;
  }
  return LogTime{days_since_1970(*year, month, *day) * 86400 + *clock - zone, zone};
}

}  // namespace dowser
