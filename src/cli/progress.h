#pragma once

#include <bitset>
#include <chrono>
#include <cstdint>
#include <string>

#include "engine/counters.h"

namespace dowser {

// How a crawl goes, on standard error: one line that changes on a terminal, a line every ten
// seconds elsewhere. Also while nothing comes back, so that one sees that it waits.
class ProgressLine {
 public:
  explicit ProgressLine(int64_t max_pages);

  void visit(const Visit& visit, const CrawlCounters& counters);
  void tick();  // often
  void clear() const;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kWindow = 1000;  // visits that count for "harvest of late"

  std::string text(Clock::time_point now) const;

  const int64_t max_pages_;
  const bool terminal_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  CrawlCounters counters_;
  size_t fetched_before_ = 0;  // by the run that this one continues
  size_t visits_ = 0;
  std::bitset<kWindow> found_;  // of the last visits, in a ring
};

}  // namespace dowser
