#include "cli/work_progress.h"

#include <fmt/format.h>
#include <unistd.h>

namespace dowser {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

}  // namespace

WorkProgress::WorkProgress(std::string what)
    : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) == 1) {}

WorkProgress::~WorkProgress() {
  if (printed_ && terminal_) fmt::print(stderr, "\r\x1b[K");
}

void WorkProgress::tell(size_t done, size_t of) {
  const Clock::time_point now = Clock::now();
  const bool is_due = now - last_ >= (terminal_ ? milliseconds(200) : milliseconds(10000)) &&
                      now - start_ >= seconds(2);
  if (!is_due || done == 0) return;
  const double passed = std::chrono::duration<double>(now - start_).count();
  const double left = passed * static_cast<double>(of - done) / static_cast<double>(done);
  print(fmt::format("{} of {} {}, {:.0f} s left", done, of, what_, left), is_due);
}

void WorkProgress::step(std::string_view name) {
  const double passed = std::chrono::duration<double>(Clock::now() - start_).count();
  print(fmt::format("{} ({:.0f} s)", name, passed), terminal_ || passed >= 2);
}

void WorkProgress::print(const std::string& text, bool is_due) {
  if (!is_due) return;
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\x1b[K" : "", text, terminal_ ? "" : "\n");
  last_ = Clock::now();
  printed_ = true;
}

}  // namespace dowser
