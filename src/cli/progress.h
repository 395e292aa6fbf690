#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/progress.h"

namespace dowser {

// Shows the progress of a long command on standard error: on a terminal one line that changes,
// otherwise a line every ten seconds. Nothing is shown in the first second, so that short work
// stays silent.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }

  // Whether it is time to show something.
  bool is_due() const;
  void show(std::string_view text);
  // Clears the line on the terminal before something else is printed.
  void clear();

  // "120 of 500 draws, 9 s left". Answers whether to continue: false after Ctrl-C.
  bool watch(const Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;

  const bool is_terminal_;
  const Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> shown_;
  bool is_on_screen_ = false;
  std::string what_;  // the step that is counted
  Clock::time_point step_start_ = start_;
};

// "9 s", "12 min", "3.5 h".
std::string time_text(double seconds);

}  // namespace dowser
