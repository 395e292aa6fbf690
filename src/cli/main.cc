#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/diff.h"
#include "cli/interrupt.h"
#include "cli/library.h"
#include "cli/seeds.h"
#include "cli/stats.h"
#include "document/converter_process.h"

// The program: finds the command, runs it, and is the one place where exceptions end.

namespace dowser {
namespace {

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(CommandLine);
};

constexpr Command kCommands[] = {
    {"annotate", "write notes about pages and documents", annotate_command},
    {"check", "verify the files of a crawl, and rebuild what is damaged", check_command},
    {"compare", "measure which strategy finds more, on an archived web", compare_command},
    {"crawl", "collect the relevant part of a web", crawl_command},
    {"diff", "report what has changed between crawls of the same sites", diff_command},
    {"explain", "show why a page was fetched and judged as it was", explain_command},
    {"export", "write the results of a crawl as CSV or JSON lines", export_command},
    {"inspect", "show how Dowser reads an address, page, robots.txt or archive", inspect_command},
    {"judge", "compute how relevant a page is, and which words decided it", judge_command},
    {"learn", "train a judge on labelled pages, or the hidden Markov crawler on sessions",
     learn_command},
    {"library", "add files of your own to the library of a crawl", library_command},
    {"pack", "turn a folder of HTML files into an archive that can be crawled", pack_command},
    {"rank", "compute which pages are important from the links between them", rank_command},
    {"rejudge", "judge the pages of a crawl again without fetching anything", rejudge_command},
    {"replay", "serve an archive as a web", replay_command},
    {"resume", "continue a crawl that was stopped or killed, or that reached a limit",
     resume_command},
    {"search", "search the pages and documents that a crawl collected", search_command},
    {"seeds", "find addresses to start from: directories, sitemaps, back-links, search providers",
     seeds_command},
    {"session", "record, import, list, show and draw browsing sessions", session_command},
    {"signature", "find, learn and apply semantic signatures of a topic", signature_command},
    {"stats", "show what a crawl found by site and directory, and what to skip next time",
     stats_command},
    {"topics", "find the sub-topics of a topic in the lists of pages about it", topics_command},
    {"usage", "find out from server logs who visits a site, and how", usage_command},
};

std::string help() {
  std::string text =
      "Dowser fetches the part of a web that is about your topic, most relevant pages "
      "first.\n\nUsage: dowser COMMAND [options]\n\n";
  for (const Command& command : kCommands) {
    text += fmt::format("  {:<9} {}\n", command.name, command.summary);
  }
  return text +
         "\nFor details: dowser COMMAND --help. Exit codes: 0 done, 1 failed, 2 wrong usage, 130 "
         "interrupted.\n";
}

int run(std::vector<std::string> arguments) {
  if (arguments.empty()) {
    print_to_stderr(help());
    return kUsage;
  }
  const std::string name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    fmt::print("{}", help());
    return kDone;
  }
  if (name == "--version") {
    fmt::print("dowser {}\n", DOWSER_VERSION);
    return kDone;
  }
  // Not for people: a crawl starts this program again to convert documents.
  if (name == "convert-documents") return run_converter_process(kConverterSocket);
  std::vector<std::string> names;
  for (const Command& command : kCommands) {
    if (command.name == name) return command.run(std::span(arguments).subspan(1));
    names.emplace_back(command.name);
  }
  print_to_stderr(fmt::format("dowser: there is no command '{}'{} (see dowser --help)\n", name,
                              did_you_mean(name, names)));
  return kUsage;
}

}  // namespace
}  // namespace dowser

int main(int argc, char** argv) {
  using namespace dowser;
  int code = kFailed;
  catch_interrupts();
  try {
    code = run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    print_to_stderr(fmt::format("dowser: {}\n", error.what()));
    return kFailed;
  }
  // What was printed may still wait to be written, and a full disk is found out only then.
  // One that failed has said why already.
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written || code != kDone) return code;
  print_to_stderr(
      fmt::format("dowser: cannot write to standard output: {}\n", std::strerror(errno)));
  return kFailed;
}
