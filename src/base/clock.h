#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// Time. A crawl never reads the system clock itself: it asks the Clock it was given, so that a
// crawl over an archive runs on simulated time and repeats to the byte.

namespace dowser {

using Duration = std::chrono::microseconds;

// A moment, in microseconds since 1970-01-01 00:00 UTC.
struct Time {
  int64_t micros = 0;

  friend auto operator<=>(const Time&, const Time&) = default;
  friend Time operator+(Time t, Duration d) { return {t.micros + d.count()}; }
  friend Duration operator-(Time a, Time b) { return Duration(a.micros - b.micros); }
};

std::string to_iso8601(Time t);        // 2007-05-28T00:00:00Z; the fraction is cut off
std::string to_cdx_timestamp(Time t);  // 20070528000000
Result<Time> parse_iso8601(std::string_view text);

// "90s", "1.5m", "2h", "250ms", "1d"; a bare number is seconds.
Result<Duration> parse_duration(std::string_view text);
std::string format_duration(Duration d);  // the shortest form that parse_duration reads back

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time now() const = 0;
  // Returns when it is `t` or later.
  virtual void wait_until(Time t) = 0;
};

// The wall clock, for dates only. It may be set forward or back at any moment, so it is never used
// for waiting or for limits.
Time wall_time();

// Real time. It starts at the time of the wall clock, or at `start`, and then advances steadily,
// however the wall clock is set meanwhile. now() may be called from any thread.
class SystemClock final : public Clock {
 public:
  SystemClock() : SystemClock(wall_time()) {}
  explicit SystemClock(Time start)
      : start_(start), steady_start_(std::chrono::steady_clock::now()) {}
  Time now() const override;
  void wait_until(Time t) override;

 private:
  const Time start_;
  const std::chrono::steady_clock::time_point steady_start_;
};

// Where a clock stood, so that a later process can continue it. What remains to wait then stays
// right even if somebody sets the wall clock between the two processes: as long as the machine was
// not started again, its time since boot says how much time has passed.
struct ClockMark {
  Time now;                // by the clock
  Time wall;               // by the wall clock, at the same moment
  Duration since_boot{0};  // of the machine, sleep included
  std::string boot;        // names this boot of the machine; empty if it is not known
};
ClockMark mark_clock(const Clock& clock);
// What the marked clock would show now. It never shows less than at the mark.
Time continued(const ClockMark& mark);

// Simulated time: it advances only when told to, and waiting returns at once.
class SimulatedClock final : public Clock {
 public:
  explicit SimulatedClock(Time start) : now_(start) {}
  Time now() const override { return now_; }
  void wait_until(Time t) override {
    if (t > now_) now_ = t;
  }
  void advance(Duration d) { now_ = now_ + d; }

 private:
  Time now_;
};

}  // namespace dowser
