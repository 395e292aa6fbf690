#include "cli/signature.h"

#include "cli/subcommands.h"

namespace dowser {
namespace {

constexpr Subcommand kParts[] = {
    {"keywords", "find the keyword groups of a topic: .kdf files",
     "dowser signature keywords --training birds/ --background others/ --to groups",
     signature_keywords_command},
    {"learn", "learn the signatures of the groups: .ssd files",
     "dowser signature learn --keywords groups --training birds/ --to library",
     signature_learn_command},
    {"hits", "count how often each signature occurs in each document: a .hadf file",
     "dowser signature hits --library library --documents birds/ --to birds.hadf",
     signature_hits_command},
    {"refine", "keep the strong signatures and drop the redundant ones",
     "dowser signature refine --library library --hits birds.hadf --to refined",
     signature_refine_command},
    {"cluster", "group documents by their hits",
     "dowser signature cluster birds.hadf --clusters 4 --svg birds.svg", signature_cluster_command},
};

}  // namespace

int signature_command(CommandLine line) {
  return run_subcommand(
      "signature",
      "Finds and uses semantic signatures: how keywords of a topic occur together in its "
      "texts.\ndowser learn signatures does the first four steps at once.",
      kParts, line);
}

}  // namespace dowser
