#include "cli/interrupt.h"

#include <fmt/format.h>
#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstring>
#include <string_view>

#include "cli/commands.h"

namespace dowser {
namespace {

volatile std::sig_atomic_t received = 0;
volatile std::sig_atomic_t gently = 0;

char file_to_remove[PATH_MAX] = "";

// Calls only what POSIX allows in a signal handler.
void on_signal(int signal) {
  if (received || !gently) {
    if (file_to_remove[0]) unlink(file_to_remove);
    constexpr std::string_view kMessage = "dowser: interrupted\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
    _exit(kInterrupted);
  }
  received = signal;
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupted() { return received != 0; }

void stop_gently() { gently = 1; }

RemoveIfInterrupted::RemoveIfInterrupted(const std::filesystem::path& file) {
  const std::string name = file.string();
  if (name.size() < sizeof file_to_remove) std::strcpy(file_to_remove, name.c_str());
}

RemoveIfInterrupted::~RemoveIfInterrupted() { file_to_remove[0] = '\0'; }

int fail_or_stop(std::string_view command, const Error& error, std::string_view kept) {
  if (!interrupted()) return fail(command, error);
  print_to_stderr(fmt::format("dowser {}: interrupted; {}\n", command, kept));
  return kInterrupted;
}

}  // namespace dowser
