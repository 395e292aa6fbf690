#include <atomic>
#include <memory>
#include <mutex>

#include "tests/hostile/exhibits.h"

// Hosts that ask to be left alone for a while.

namespace dowser {
namespace {

// Refuses the first two requests; one that comes too early is refused again.
class Storm {
 public:
  explicit Storm(bool as_date) : as_date_(as_date), state_(std::make_shared<State>()) {}

  void operator()(Exchange& e) const {
    if (may_pass()) return e.page("After the storm", {});
    e.answer(429, e.retry_after(as_date_), "Not so fast.");
    const std::lock_guard lock(state_->mutex);
    state_->open_at = std::chrono::steady_clock::now() + e.asked_to_wait();
  }

 private:
  struct State {
    std::mutex mutex;
    int refused = 0;
    std::chrono::steady_clock::time_point open_at;
  };

  bool may_pass() const {
    const std::lock_guard lock(state_->mutex);
    // The date of a Retry-After has whole seconds, and clocks differ a little.
    const auto now = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
    return state_->refused++ >= 2 && now >= state_->open_at;
  }

  const bool as_date_;
  const std::shared_ptr<State> state_;  // shared by the copies that a std::function makes
};

// Answers 503 so many times, then well.
Handler recovers_after(int requests) {
  auto left = std::make_shared<std::atomic<int>>(requests);
  return [left](Exchange& e) {
    (*left)-- > 0 ? e.answer(503, {}, "Too busy.") : e.page("Well again", {});
  };
}

}  // namespace

std::vector<Exhibit> overload_exhibits() {
  return {
      {"retry-seconds.test",
       "429 with Retry-After in seconds, twice",
       "fetched, after the times that it asked for",
       Storm(false),
       "/",
       {"/"}},
      {"retry-date.test",
       "429 with Retry-After as a date, twice",
       "fetched, after the times that it asked for",
       Storm(true),
       "/",
       {"/"}},
      {"retry-always.test", "429 with Retry-After, always", "given up after some tries",
       [](Exchange& e) { e.answer(429, e.retry_after(false), "Not so fast."); }},
      {"busy.test", "503 without Retry-After, always",
       "given up after some tries, with growing distances",
       [](Exchange& e) { e.answer(503, {}, "Too busy."); }},
      {"recovers.test", "503 twice, then well", "fetched", recovers_after(2), "/", {"/"}},
      {"error.test", "500, always", "status 500; tried again some times or not at all",
       [](Exchange& e) { e.answer(500, {}, "Something broke."); }},
  };
}

}  // namespace dowser
