#pragma once

#include <bitset>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/progress.h"
#include "engine/events.h"

namespace dowser {

// The progress of a crawl. The line is updated even while no answer arrives, so that the user sees
// that the crawl is waiting.
class CrawlProgress {
 public:
  CrawlProgress(std::string command, int64_t max_pages);

  // Subscribes to the events of a crawl; warnings are printed above the line.
  void observe(const CrawlEvent& event);
  void tick();  // often
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kWindow = 1000;  // visits that count for the recent harvest
  static constexpr std::chrono::milliseconds kCopyEvery{100};

  void add(const VisitMade& made);
  std::string text() const;
  std::string waiting_text() const;

  const std::string command_;
  const int64_t max_pages_;
  ProgressLine line_;
  const Clock::time_point start_ = Clock::now();
  CrawlCounters counters_;
  Clock::time_point copied_ = start_;  // when the counters were
  size_t fetched_before_ = 0;          // by the run that this one continues
  size_t visits_ = 0;
  // What the crawl waits for, since nothing came back after it was told.
  struct Wait {
    std::string host;
    Clock::time_point until;
    bool is_pause;  // longer than the delay of the host
  };
  std::optional<Wait> wait_;
  std::bitset<kWindow> found_;  // of the last visits, in a ring
};

}  // namespace dowser
