#include "cli/commands.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/arguments.h"

namespace dowser {

std::optional<int> parse_or_exit(Arguments& arguments, CommandLine line) {
  const Status parsed = arguments.parse(line);
  if (!parsed) {
    print_to_stderr(fmt::format("dowser {}: {} (see dowser {} --help)\n", arguments.command(),
                                parsed.error().message, arguments.command()));
    return kUsage;
  }
  if (!arguments.wants_help()) return std::nullopt;
  fmt::print("{}", arguments.help());
  return kDone;
}

int fail(std::string_view command, const Error& error, int code) {
  print_to_stderr(fmt::format("dowser {}: {}\n", command, error.message));
  return code;
}

void print_to_stderr(std::string_view text) {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace dowser
