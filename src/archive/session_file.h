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
  // Problems, one sentence each: a part that is cut short or broken, a page that is missing.
  // `sessions` has those that could be read completely.
  std::vector<std::string> warnings;
};

// The same sessions give the same bytes.
std::string session_file_bytes(std::span<const Session> sessions);
Status write_session_file(const std::filesystem::path& path, std::span<const Session> sessions);

// Error if the file contains no session at all.
Result<SessionFile> read_session_file(const std::filesystem::path& path);
// `name` is its name in messages.
Result<SessionFile> read_sessions(std::string_view bytes, const std::string& name);

}  // namespace dowser
