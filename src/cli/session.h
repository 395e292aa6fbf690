#pragma once

#include <string>
#include <vector>

#include "archive/session_file.h"
#include "cli/commands.h"

// `dowser session WHAT`. One file = one part.

namespace dowser {

int session_import_command(CommandLine);
int session_record_command(CommandLine);
int session_list_command(CommandLine);
int session_show_command(CommandLine);
int session_graph_command(CommandLine);

// The sessions of all files; what is wrong with a file but leaves something to read goes to
// standard error. `name`: only the session of that name, "" for all.
Result<std::vector<Session>> load_sessions(const std::vector<std::string>& files,
                                           const std::string& name = "");

}  // namespace dowser
