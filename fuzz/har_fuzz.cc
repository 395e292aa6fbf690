#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "archive/session_file.h"
#include "mine/import_sessions.h"

// The reader of HAR files over arbitrary bytes: it ends, and the session that it gives can be
// written and read back.

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto session = dowser::import_har(bytes, "fuzz", {});
  if (!session) return 0;
  const auto again =
      dowser::read_sessions(dowser::session_file_bytes(std::span(&*session, 1)), "fuzz");
  if (!again || again->sessions.front().pages.size() != session->pages.size()) std::abort();
  return 0;
}
