#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

// Ctrl-C and SIGTERM, the same in every command: the first asks the command to stop, and it leaves
// nothing half-written; the second ends the program at once. Both exit with kInterrupted.

namespace dowser {

// From now on the signals are caught. Called once, by main().
void catch_interrupts();

// Whether the user asked to stop. A command that can stop by itself calls stop_gently() before its
// long work; other commands are ended at once.
bool interrupted();
void stop_gently();

// While one of these lives, its file is removed if the program is ended by a signal. At most one at
// a time.
class RemoveIfInterrupted {
 public:
  explicit RemoveIfInterrupted(const std::filesystem::path& file);
  ~RemoveIfInterrupted();
  RemoveIfInterrupted(const RemoveIfInterrupted&) = delete;
  RemoveIfInterrupted& operator=(const RemoveIfInterrupted&) = delete;
};

// Ends a command that returned `error`: as interrupted if the user asked for it, and as failed
// otherwise. `kept` says what became of the work: "nothing was written".
int fail_or_stop(std::string_view command, const Error& error,
                 std::string_view kept = "nothing was written");

}  // namespace dowser
