#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "archive/session_file.h"

// The reader of session files over arbitrary bytes: it ends, and what it gives is whole.

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto file = dowser::read_sessions(bytes, "fuzz");
  if (!file) return 0;
  for (const dowser::Session& session : file->sessions) {
    for (const auto& step : session.steps) {
      if (step.page >= session.pages.size()) std::abort();
    }
    for (const auto& link : session.links) {
      if (link.from >= session.pages.size() || link.to >= session.pages.size()) std::abort();
    }
  }
  return 0;
}
