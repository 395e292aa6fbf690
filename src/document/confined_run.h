#pragma once

#include <functional>
#include <string>
#include <vector>

#include "document/conversion.h"

// Runs one program, or one function of this program, in the jail, with a document as its standard
// input.

namespace dowser {

struct ConfinedRun {
  bool timed_out = false;
  bool overflowed = false;  // it printed more than it may
  bool not_confined = false;
  int exit_code = 0;
  int signal = 0;              // that ended it; 0: it ended by itself
  std::string output, errors;  // of the errors only the first few kilobytes
  double cpu_seconds = 0;
  uint64_t memory_bytes = 0;  // the most that was resident

  bool is_ok() const {
    return !timed_out && !overflowed && !not_confined && exit_code == 0 && signal == 0;
  }
};

// What runs: a program with its arguments, or a reader of ours, which gets the document and returns
// its text, or an error for a damaged one.
struct Confined {
  std::vector<std::string> command;
  std::function<Result<std::string>(std::string_view document)> reader;
};

// `input` is a file that can be mapped and read from its beginning. `given_up` is a descriptor that
// becomes readable when the answer is no longer needed: then the run is ended. Forks, so it must be
// called from a small process with one thread.
ConfinedRun run_confined(const Confined& what, int input, int given_up, const JailSupport& support,
                         const ConversionLimits& limits);

}  // namespace dowser
