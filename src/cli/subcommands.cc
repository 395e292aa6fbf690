#include "cli/subcommands.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/nearest.h"

namespace dowser {
namespace {

std::string help(std::string_view command, std::string_view about,
                 std::span<const Subcommand> subcommands) {
  std::string text = fmt::format("{}\n\nUsage: dowser {} WHAT [options]\n\n", about, command);
  for (const Subcommand& one : subcommands) {
    text += fmt::format("  {:<9}{}\n", one.name, one.summary);
  }
  text += fmt::format("\nFor details: dowser {} WHAT --help\n\nExamples:\n", command);
  for (const Subcommand& one : subcommands) text += fmt::format("  {}\n", one.example);
  return text;
}

}  // namespace

int run_subcommand(std::string_view command, std::string_view about,
                   std::span<const Subcommand> subcommands, CommandLine line) {
  if (line.empty()) {
    print_to_stderr(help(command, about, subcommands));
    return kUsage;
  }
  const std::string& name = line.front();
  if (name == "--help" || name == "-h") {
    fmt::print("{}", help(command, about, subcommands));
    return kDone;
  }
  std::vector<std::string> names;
  for (const Subcommand& one : subcommands) {
    if (one.name == name) return one.run(line.subspan(1));
    names.emplace_back(one.name);
  }
  return fail(command,
              Error{fmt::format("there is no '{0} {1}'{2} (see dowser {0} --help)", command, name,
                                did_you_mean(name, names))},
              kUsage);
}

}  // namespace dowser
