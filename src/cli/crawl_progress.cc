#include "cli/crawl_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "base/shorten.h"
#include "cli/commands.h"

namespace dowser {
namespace {

constexpr size_t kMaxHost = 60;  // characters shown

}  // namespace

CrawlProgress::CrawlProgress(std::string command, int64_t max_pages)
    : command_(std::move(command)), max_pages_(max_pages) {}

void CrawlProgress::observe(const CrawlEvent& event) {
  if (const auto* made = std::get_if<VisitMade>(&event)) add(*made);
  if (const auto* waits = std::get_if<CrawlWaits>(&event)) {
    wait_ = {std::string(waits->host), Clock::now() + waits->wait, waits->wait > waits->delay};
    counters_ = waits->counters;
    if (visits_ == 0) fetched_before_ = counters_.fetched;
    tick();
  }
  if (const auto* judged = std::get_if<PagesJudgedAgain>(&event); judged && line_.is_due()) {
    line_.show(fmt::format("{} of {} pages judged again", judged->done, judged->total));
  }
  if (const auto* warning = std::get_if<CrawlWarning>(&event)) {
    line_.clear();
    print_to_stderr(fmt::format("dowser {}: {}\n", command_, warning->text));
  }
}

void CrawlProgress::add(const VisitMade& made) {
  wait_.reset();
  found_[visits_++ % kWindow] = made.visit.found();
  if (visits_ == 1) fetched_before_ = made.counters.fetched - 1;
  const Clock::time_point now = Clock::now();
  if (visits_ > 1 && now - copied_ < kCopyEvery) return;
  copied_ = now;
  counters_ = made.counters;
  tick();
}

void CrawlProgress::tick() {
  if (line_.is_due()) line_.show(text());
}

// Empty if the crawl is not waiting.
std::string CrawlProgress::waiting_text() const {
  const auto left = wait_ ? wait_->until - Clock::now() : Clock::duration(0);
  if (left <= Clock::duration(0)) return {};
  const Time until = wall_time() + std::chrono::duration_cast<Duration>(left);
  return fmt::format(
      "nothing is sent for {}, until {}: {} {}; ",
      time_text(std::chrono::duration<double>(left).count()), to_iso8601(until),
      shortened(wait_->host, kMaxHost),
      wait_->is_pause ? "asked for a pause or failed" : "was asked less than its delay ago");
}

std::string CrawlProgress::text() const {
  const CrawlCounters& c = counters_;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const double rate = static_cast<double>(c.fetched - fetched_before_) / std::max(seconds, 1e-3);
  const double left = (static_cast<double>(max_pages_) - static_cast<double>(c.fetched)) / rate;
  const size_t window = std::clamp<size_t>(visits_, 1, kWindow);
  return fmt::format(
      "{}{} of {} pages, {:.0f}/s, {} relevant ({:.0f} %, of the last {} {:.0f} %), {} waiting on "
      "{} "
      "hosts, {} in flight, {} failed{}{}",
      waiting_text(), c.fetched, max_pages_, rate, c.relevant, 100 * c.harvest_rate(), window,
      100.0 * static_cast<double>(found_.count()) / static_cast<double>(window), c.waiting,
      c.hosts_active, c.in_flight, c.failed, rate > 0 ? ", " + time_text(left) + " left" : "",
      c.advice ? ", relevant: " + advice_text(*c.advice) : "");
}

}  // namespace dowser
