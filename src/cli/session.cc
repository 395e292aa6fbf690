#include "cli/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/subcommands.h"

namespace dowser {
namespace {

constexpr size_t kMostWarnings = 10;  // shown of a file

constexpr Subcommand kParts[] = {
    {"import",
     "read sessions that other programs recorded: lists of clicks over an archive, HAR files",
     "dowser session import schools-sessions.tsv.gz --web schools.warc.gz --goals add --to "
     "schools.sessions",
     session_import_command},
    {"list", "list the sessions of a file", "dowser session list schools.sessions",
     session_list_command},
    {"record", "record what a person browses, through the browser extension",
     "dowser session record --topic \"ice hockey\" --to hockey.sessions", session_record_command},
    {"show", "show the pages and steps of a session", "dowser session show hockey.sessions",
     session_show_command},
    {"graph", "draw the pages of a session by their distance to a useful page",
     "dowser session graph hockey.sessions --to hockey.svg", session_graph_command},
};

}  // namespace

Result<std::vector<Session>> load_sessions(const std::vector<std::string>& files,
                                           const std::string& name) {
  std::vector<Session> sessions;
  for (const std::string& file : files) {
    Result<SessionFile> read = read_session_file(file);
    if (!read) return read.error();
    const size_t shown = std::min(read->warnings.size(), kMostWarnings);
    for (size_t i = 0; i < shown; ++i) {
      fmt::print(stderr, "dowser session: {}\n", read->warnings[i]);
    }
    if (read->warnings.size() > shown) {
      fmt::print(stderr, "dowser session: {}: and {} more damaged places\n", file,
                 read->warnings.size() - shown);
    }
    for (Session& session : read->sessions) {
      if (name.empty() || session.name == name) sessions.push_back(std::move(session));
    }
  }
  if (sessions.empty()) {
    return Error{
        fmt::format("there is no session called '{}': dowser session list {} shows those there are",
                    name, files.front())};
  }
  return sessions;
}

int session_command(CommandLine line) {
  return run_subcommand(
      "session",
      "Records and shows browsing sessions: which pages a person visited, and which were useful.",
      kParts, line);
}

}  // namespace dowser
