#include "cli/signature.h"

#include <fmt/format.h>

#include "base/nearest.h"

namespace dowser {
namespace {

struct Part {
  std::string_view name, summary, example;
  int (*run)(CommandLine);
};

constexpr Part kParts[] = {
    {"keywords", "groups of keywords of a topic: .kdf files",
     "dowser signature keywords --training birds/ --background others/ --to groups",
     signature_keywords_command},
    {"learn", "signatures of the groups: .ssd files",
     "dowser signature learn --keywords groups --training birds/ --to library",
     signature_learn_command},
    {"hits", "how often each signature stands in each document: a .hadf file",
     "dowser signature hits --library library --documents birds/ --to birds.hadf",
     signature_hits_command},
    {"refine", "keeps the strong signatures and drops the redundant",
     "dowser signature refine --library library --hits birds.hadf --to refined",
     signature_refine_command},
    {"cluster", "groups documents by their hits",
     "dowser signature cluster birds.hadf --clusters 4 --svg birds.svg", signature_cluster_command},
};

std::string help() {
  std::string text =
      "Semantic signatures: how keywords of a topic stand together in its texts.\n"
      "dowser learn signatures does the first four in one.\n\n"
      "Usage: dowser signature WHAT [options]\n\n";
  for (const Part& part : kParts) text += fmt::format("  {:<9}{}\n", part.name, part.summary);
  text += "\ndowser signature WHAT --help tells more.\n\nExamples:\n";
  for (const Part& part : kParts) text += fmt::format("  {}\n", part.example);
  return text;
}

}  // namespace

int signature_command(CommandLine line) {
  if (line.empty()) {
    print_to_stderr(help());
    return kUsage;
  }
  const std::string& name = line.front();
  if (name == "--help" || name == "-h") {
    fmt::print("{}", help());
    return kDone;
  }
  std::vector<std::string> names;
  for (const Part& part : kParts) {
    if (part.name == name) return part.run(line.subspan(1));
    names.emplace_back(part.name);
  }
  return fail("signature",
              Error{fmt::format("there is no 'signature {}'{} (see dowser signature --help)", name,
                                did_you_mean(name, names))},
              kUsage);
}

}  // namespace dowser
