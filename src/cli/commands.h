#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

// One file per command. Adding one: a file cli/NAME.cc with `int NAME_command(CommandLine)`, a
// line here and a line in the list of main.cc.

namespace dowser {

class Arguments;

// Exit codes of the program.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kInterrupted = 130;

using CommandLine = std::span<const std::string>;  // the words after the command's name

int check_command(CommandLine);
int compare_command(CommandLine);
int crawl_command(CommandLine);
int explain_command(CommandLine);
int export_command(CommandLine);
int inspect_command(CommandLine);
int judge_command(CommandLine);
int learn_command(CommandLine);
int learn_anchors_command(CommandLine);     // dowser learn anchors
int learn_hmm_command(CommandLine);         // dowser learn hmm
int learn_signatures_command(CommandLine);  // dowser learn signatures
int pack_command(CommandLine);
int rank_command(CommandLine);
int replay_command(CommandLine);
int rejudge_command(CommandLine);
int resume_command(CommandLine);
int session_command(CommandLine);
int signature_command(CommandLine);
int topics_command(CommandLine);
int usage_command(CommandLine);

// Parses, or prints the help or the error. Returns nothing if the command should continue,
// otherwise the exit code.
std::optional<int> parse_or_exit(Arguments& arguments, CommandLine line);

// Prints "dowser COMMAND: sentence" to standard error and returns the code.
int fail(std::string_view command, const Error& error, int code = kFailed);

// Writes to standard error. If that fails (a full disk, a closed pipe), the text is lost and
// nothing else happens.
void print_to_stderr(std::string_view text);

}  // namespace dowser
