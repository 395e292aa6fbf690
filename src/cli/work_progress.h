#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace dowser {

// How a long piece of work goes, on standard error: nothing in the first two seconds, then one line
// that changes on a terminal, and a line every ten seconds elsewhere.
class WorkProgress {
 public:
  explicit WorkProgress(std::string what);  // what is counted: "sessions"
  ~WorkProgress();

  void tell(size_t done, size_t of);  // with the time left
  void step(std::string_view name);   // work that cannot be counted

 private:
  using Clock = std::chrono::steady_clock;
  void print(const std::string& text, bool is_due);

  const std::string what_;
  const bool terminal_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  bool printed_ = false;
};

}  // namespace dowser
