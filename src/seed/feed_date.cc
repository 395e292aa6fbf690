#include "seed/feed_date.h"

#include <chrono>
#include <cstdint>

namespace dowser {
namespace {

// Takes from the front of what it was given; a failed step takes nothing.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }
  bool take(char c) {
    const bool found = text_.starts_with(c);
    if (found) text_.remove_prefix(1);
    return found;
  }
  void skip_blanks() {
    while (take(' ')) {
    }
  }
  // A number of min … max digits.
  std::optional<int> number(size_t min, size_t max) {
    int value = 0;
    size_t n = 0;
    for (; n < max && n < text_.size() && text_[n] >= '0' && text_[n] <= '9'; ++n) {
      value = value * 10 + (text_[n] - '0');
    }
    if (n < min) return std::nullopt;
    text_.remove_prefix(n);
    return value;
  }
  std::string_view letters() {
    size_t n = 0;
    while (n < text_.size() && ((text_[n] | 0x20) >= 'a' && (text_[n] | 0x20) <= 'z')) ++n;
    const std::string_view word = text_.substr(0, n);
    text_.remove_prefix(n);
    return word;
  }

 private:
  std::string_view text_;
};

struct Parts {
  int year = 0, month = 1, day = 1;
  int hour = 0, minute = 0, second = 0;
  int zone = 0;  // minutes before UTC
};

std::optional<Time> time_of(const Parts& p) {
  const std::chrono::year_month_day date{std::chrono::year(p.year), std::chrono::month(p.month),
                                         std::chrono::day(p.day)};
  if (!date.ok() || p.hour > 23 || p.minute > 59 || p.second > 60) return std::nullopt;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const int64_t seconds =
      days * 86400 + p.hour * 3600 + p.minute * 60 + p.second - int64_t{p.zone} * 60;
  return Time{seconds * 1'000'000};
}

// "+01:00", "-0500"; the sign is still there.
bool read_zone(Reader& in, int& zone) {
  const int sign = in.take('-') ? -1 : 1;
  if (sign > 0 && !in.take('+')) return false;
  const auto hours = in.number(2, 2);
  in.take(':');
  const auto minutes = in.number(2, 2);
  if (!hours || !minutes) return false;
  zone = sign * (*hours * 60 + *minutes);
  return true;
}

bool read_clock(Reader& in, Parts& p) {
  const auto hour = in.number(1, 2);
  if (!hour || !in.take(':')) return false;
  const auto minute = in.number(2, 2);
  if (!minute) return false;
  p.hour = *hour;
  p.minute = *minute;
  if (!in.take(':')) return true;
  const auto second = in.number(2, 2);
  if (!second) return false;
  p.second = *second;
  if (in.take('.')) in.number(1, 9);
  return true;
}

std::optional<Time> parse_w3c(std::string_view text) {
  Reader in(text);
  Parts p;
  const auto year = in.number(4, 4);
  if (!year) return std::nullopt;
  p.year = *year;
  if (in.take('-')) {
    const auto month = in.number(2, 2);
    if (!month) return std::nullopt;
    p.month = *month;
    if (in.take('-')) {
      const auto day = in.number(2, 2);
      if (!day) return std::nullopt;
      p.day = *day;
      if (in.take('T') || in.take('t') || in.take(' ')) {
        if (!read_clock(in, p)) return std::nullopt;
        in.skip_blanks();
        const bool zone = in.at_end() || in.take('Z') || in.take('z') || read_zone(in, p.zone);
        if (!zone) return std::nullopt;
      }
    }
  }
  return in.at_end() ? time_of(p) : std::nullopt;
}

int month_of(std::string_view name) {
  constexpr std::string_view kMonths = "janfebmaraprmayjunjulaugsepoctnovdec";
  if (name.size() < 3) return 0;
  char start[3];
  for (int i = 0; i < 3; ++i) start[i] = static_cast<char>(name[i] | 0x20);
  for (size_t i = 0; i < kMonths.size(); i += 3) {
    if (kMonths.substr(i, 3) == std::string_view(start, 3)) return static_cast<int>(i / 3) + 1;
  }
  return 0;
}

// Minutes of the zones with names that RFC 822 knows; the letters of the military are UTC.
int named_zone(std::string_view name) {
  constexpr std::string_view kNames[] = {"EDT", "EST", "CDT", "CST", "MDT", "MST", "PDT", "PST"};
  constexpr int kHours[] = {-4, -5, -5, -6, -6, -7, -7, -8};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return kHours[i] * 60;
  }
  return 0;
}

std::optional<Time> parse_rfc822(std::string_view text) {
  Reader in(text);
  Parts p;
  in.letters();  // the day of the week
  in.take(',');
  in.skip_blanks();
  const auto day = in.number(1, 2);
  in.skip_blanks();
  in.take('-');
  p.month = month_of(in.letters());
  in.take('-');
  in.skip_blanks();
  const auto year = in.number(2, 4);
  if (!day || !year || p.month == 0) return std::nullopt;
  p.day = *day;
  p.year = *year < 50 ? *year + 2000 : *year < 100 ? *year + 1900 : *year;
  in.skip_blanks();
  if (in.at_end()) return time_of(p);
  if (!read_clock(in, p)) return std::nullopt;
  in.skip_blanks();
  if (!read_zone(in, p.zone)) p.zone = named_zone(in.letters());
  return time_of(p);
}

}  // namespace

std::optional<Time> parse_feed_date(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return std::nullopt;
  text = text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
  const std::optional<Time> time = parse_w3c(text);
  return time ? time : parse_rfc822(text);
}

}  // namespace dowser
