#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/session.h"

// Browsing sessions as a WARC file, which any reader of archives can open. The form is described in
// the .cc file.

namespace dowser {

struct SessionFile {
  std::vector<Session> sessions;
  // What was wrong, a sentence each: a part that is cut or broken, a page that is missing. The
  // sessions are those that could be read whole.
  std::vector<std::string> warnings;
};

// The same sessions give the same bytes.
std::string session_file_bytes(std::span<const Session> sessions);
Status write_session_file(const std::filesystem::path& path, std::span<const Session> sessions);

// An error if the file holds no session at all.
Result<SessionFile> read_session_file(const std::filesystem::path& path);
// `name` is what messages call it.
Result<SessionFile> read_sessions(std::string_view bytes, const std::string& name);

}  // namespace dowser
