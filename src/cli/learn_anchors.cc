#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/spec.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/option_values.h"
#include "cli/print_json.h"
#include "mine/anchor_miner.h"
#include "model/profile.h"
#include "run/run.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

Result<AnchorMiner> mine_anchors(const std::string& folder) {
  const Result<CrawlConfig> config = config_of(folder);
  if (!config) return config.error();
  const Result<Spec> strategy = Spec::parse(config->strategy);
  if (!strategy || strategy->name != "cindi") {
    return Error{fmt::format(
        "the crawl in {} has no layers: only crawls with --strategy cindi have them", folder)};
  }
  AnchorMiner miner;
  Status read = for_each_layer_link(std::filesystem::path(folder) / "catalogue.sqlite",
                                    [&](const LayerLink& link) { miner.add(link); });
  if (!read) return read.error();
  return miner;
}

Json anchors_json(const std::vector<MinedAnchor>& list) {
  Json all = Json::array();
  for (const MinedAnchor& anchor : list) {
    all.push_back({{"text", anchor.text}, {"links", anchor.links}, {"as_meant", anchor.meant}});
  }
  return all;
}

void print_list(const char* name, const std::vector<MinedAnchor>& list) {
  if (list.empty()) {  // an empty list is refused in a profile
    fmt::print("# {}: no link text occurs often enough\n", name);
    return;
  }
  fmt::print("{} = [\n", name);
  for (const MinedAnchor& anchor : list) {
    fmt::print("  {},  # {} of {} links\n", Json(anchor.text).dump(), anchor.meant, anchor.links);
  }
  fmt::print("]\n");
}

}  // namespace

int learn_anchors_command(CommandLine line) {
  Arguments arguments("learn anchors",
                      "Finds link texts for a profile, in a crawl with --strategy cindi.",
                      "dowser learn anchors papers > anchors.toml");
  std::string folder;
  size_t support = Profile().anchors.least_support;
  bool json = false;
  arguments.word("DIR", "the folder of a crawl", &folder);
  arguments.option("support", "N", "smallest number of links with the same text (default 3)",
                   whole_number(&support, "support", 1));
  arguments.flag("json", "print one JSON object", &json);
  arguments.note(
      "pruning: link texts on relevant pages that lead to pages which are neither relevant nor "
      "lead to\nrelevant ones. extracting: link texts on pages that lead to relevant ones, if they "
      "lead to such\npages or to relevant ones. Only links that the crawl followed count, and nine "
      "tenths of all\nlinks with a text must agree.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const Result<AnchorMiner> miner = mine_anchors(folder);
  if (!miner) return fail("learn anchors", miner.error(), kUsage);
  const auto least = static_cast<uint32_t>(support);
  if (json) {
    const Json all = {{"links_from_layer_1", miner->links_from(1)},
                      {"links_from_layer_2", miner->links_from(2)},
                      {"pruning", anchors_json(miner->pruning(least))},
                      {"extracting", anchors_json(miner->extracting(least))}};
    print_json(all);
    return kDone;
  }
  fmt::print("# From {} links of relevant pages and {} of pages that lead to some.\n[anchors]\n",
             miner->links_from(1), miner->links_from(2));
  print_list("pruning", miner->pruning(least));
  print_list("extracting", miner->extracting(least));
  return kDone;
}

}  // namespace dowser
