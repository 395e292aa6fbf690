#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

// Runs the real program as a child, with files for its output and a time limit.

namespace dowser::faults {

struct Ended {
  int code = -1;  // 128 + the number of the signal that ended it
  bool hung = false;
  std::string out, err;

  bool crashed() const { return !hung && code != 0 && code != 1 && code != 130; }
};

struct Command {
  std::vector<std::string> words;        // the program first
  std::vector<std::string> environment;  // NAME=value, besides that of this process
  std::filesystem::path out;             // standard output goes there and is not read; "" : is read
  // Far more than a busy machine with a sanitizer needs.
  std::chrono::seconds limit{600};  // then it is killed, and has hung
};

Ended run_program(const Command& command);

// As one can paste it into a shell.
std::string shell_form(const Command& command);

}  // namespace dowser::faults
