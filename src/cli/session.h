#pragma once

#include <string>
#include <vector>

#include "archive/session_file.h"
#include "cli/commands.h"

// `dowser session WHAT`. One file per part.

namespace dowser {

int session_import_command(CommandLine);
int session_record_command(CommandLine);
int session_list_command(CommandLine);
int session_show_command(CommandLine);
int session_graph_command(CommandLine);

// The sessions of all files; problems that leave something to read are printed to standard error.
// `name`: only the session of that name, "" for all.
Result<std::vector<Session>> load_sessions(const std::vector<std::string>& files,
                                           const std::string& name = "");

}  // namespace dowser
