#include "cli/signature.h"

#include "cli/subcommands.h"

namespace dowser {
namespace {

constexpr Subcommand kParts[] = {
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

}  // namespace

int signature_command(CommandLine line) {
  return run_subcommand(
      "signature",
      "Semantic signatures: how keywords of a topic stand together in its texts.\n"
      "dowser learn signatures does the first four in one.",
      kParts, line);
}

}  // namespace dowser
