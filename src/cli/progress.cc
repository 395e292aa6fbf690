#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/interrupt.h"

namespace dowser {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kOnTerminal(100), kElsewhere(10'000), kSilence(1'000);

}  // namespace

ProgressLine::ProgressLine() : is_terminal_(isatty(STDERR_FILENO) != 0) {}

bool ProgressLine::is_due() const {
  const Clock::time_point now = Clock::now();
  const milliseconds pause = is_terminal_ ? kOnTerminal : kElsewhere;
  return shown_ ? now - *shown_ >= pause : now - start_ >= (is_terminal_ ? kSilence : pause);
}

void ProgressLine::show(std::string_view text) {
  shown_ = Clock::now();
  is_on_screen_ = is_terminal_;
  print_to_stderr(
      fmt::format("{}{}{}", is_terminal_ ? "\r" : "", text, is_terminal_ ? "\033[K" : "\n"));
}

void ProgressLine::clear() {
  if (is_on_screen_) print_to_stderr("\r\033[K");
  is_on_screen_ = false;
}

bool ProgressLine::watch(const Progress& progress) {
  if (what_ != progress.what) {
    what_ = progress.what;
    step_start_ = Clock::now();
  }
  if (is_due()) {
    const double seconds = std::chrono::duration<double>(Clock::now() - step_start_).count();
    if (progress.total == 0) {
      show(fmt::format("{} ({})", progress.what, time_text(seconds)));
    } else {
      const double left = progress.done == 0
                              ? 0
                              : seconds * static_cast<double>(progress.total - progress.done) /
                                    static_cast<double>(progress.done);
      show(fmt::format("{} of {} {}{}", progress.done, progress.total, progress.what,
                       progress.done == 0 ? "" : ", " + time_text(left) + " left"));
    }
  }
  return !interrupted();
}

std::string time_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace dowser
