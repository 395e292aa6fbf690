#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/result.h"

namespace dowser {

// How far a long piece of work has come.
struct Progress {
  std::string_view what;         // what is counted, "draws"; or the step, where nothing is counted
  uint64_t done = 0, total = 0;  // total 0: nothing is counted
};

// Long-running work calls this from time to time. False means that the user wants it to stop: the
// work then leaves everything as it was and returns stopped().
using Watch = std::function<bool(const Progress&)>;
inline bool keep_going(const Progress&) { return true; }

inline Error stopped() { return {"stopped by the user"}; }

}  // namespace dowser
