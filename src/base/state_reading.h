#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

// Reads a state that may be in use by a crawl, or damaged. Nothing in its folder is changed.

namespace dowser {

struct StateReading {
  // What is wrong with the newest entries of the log; "" if nothing is. These entries and those
  // after them were not read. Both a crash of the machine and damage can leave such an end.
  std::string broken_end;
};

// Every key with its value, in the order of their bytes. All checksums of all files are verified.
Result<StateReading> read_state(
    const std::filesystem::path& folder,
    const std::function<void(std::string_view key, std::string_view value)>& visit);

// Whether a process has the state open for writing.
bool is_in_use(const std::filesystem::path& state_folder);

// While it exists, no crawl can open the state.
class StateLock {
 public:
  static Result<StateLock> take(const std::filesystem::path& state_folder);
  StateLock(StateLock&& other) noexcept;
  ~StateLock();

 private:
  explicit StateLock(int file) : file_(file) {}
  int file_;
};

}  // namespace dowser
