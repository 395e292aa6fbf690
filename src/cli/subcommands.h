#pragma once

#include <span>
#include <string_view>

#include "cli/commands.h"

// Commands that are several in one, as `dowser inspect page` and `dowser session list` are.

namespace dowser {

struct Subcommand {
  std::string_view name;
  std::string_view summary;
  std::string_view example;
  int (*run)(CommandLine);
};

// Runs the subcommand that the first word names, or prints the help: `about` is its first sentence.
int run_subcommand(std::string_view command, std::string_view about,
                   std::span<const Subcommand> subcommands, CommandLine line);

}  // namespace dowser
