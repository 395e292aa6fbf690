#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/commands.h"

namespace dowser {

ProgressLine::ProgressLine(int64_t max_pages)
    : max_pages_(max_pages), terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressLine::visit(const Visit& visit, const CrawlCounters& counters) {
  found_[visits_++ % kWindow] = visit.found();
  if (visits_ == 1) fetched_before_ = counters.fetched - 1;
  const auto now = Clock::now();
  if (visits_ > 1 && now - last_ < std::chrono::milliseconds(100)) return;
  counters_ = counters;
  tick();
}

void ProgressLine::tick() {
  const auto now = Clock::now();
  if (now - last_ < (terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10))) return;
  last_ = now;
  print_to_stderr((terminal_ ? "\r" : "") + text(now) + (terminal_ ? "\033[K" : "\n"));
}

void ProgressLine::clear() const {
  if (terminal_) print_to_stderr("\r\033[K");
}

std::string ProgressLine::text(Clock::time_point now) const {
  const CrawlCounters& c = counters_;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(c.fetched - fetched_before_) / std::max(seconds, 1e-3);
  const double left = (static_cast<double>(max_pages_) - static_cast<double>(c.fetched)) / rate;
  const size_t window = std::clamp<size_t>(visits_, 1, kWindow);
  return fmt::format(
      "{} of {} pages, {:.0f}/s, {} relevant ({:.0f} %, of the last {} {:.0f} %), {} waiting on {} "
      "hosts, {} on their way, {} failed{}{}",
      c.fetched, max_pages_, rate, c.relevant, 100 * c.harvest_rate(), window,
      100.0 * static_cast<double>(found_.count()) / static_cast<double>(window), c.waiting,
      c.hosts_active, c.in_flight, c.failed, rate > 0 ? fmt::format(", {:.0f} s left", left) : "",
      c.advice ? ", relevant: " + advice_text(*c.advice) : "");
}

}  // namespace dowser
