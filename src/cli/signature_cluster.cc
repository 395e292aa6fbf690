#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/new_file.h"
#include "base/shorten.h"
#include "cli/learn_pages.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/print_json.h"
#include "cli/signature.h"
#include "learn/signature/cluster_hits.h"
#include "report/hits_svg.h"

namespace dowser {
namespace {

struct Agreement {
  size_t labelled = 0;
  double purity = 0, ari = 0;
};

// How well the clusters agree with the labels of the documents that have one.
Result<Agreement> agreement(const std::string& file, const HitsArray& array,
                            const HitsClusters& clusters) {
  const Result<LabelFile> labels = LabelFile::read(file);
  if (!labels) return labels.error();
  std::map<std::string, std::string> label_of;
  for (const LabelLine& line : labels->lines) label_of.emplace(line.columns[0], line.columns[1]);
  std::map<std::string, uint32_t> numbers;
  std::vector<uint32_t> of_cluster, of_label;
  for (size_t i = 0; i < array.rows.size(); ++i) {
    const auto it = label_of.find(array.rows[i].document);
    if (it == label_of.end()) continue;
    of_cluster.push_back(clusters.cluster_of[i]);
    of_label.push_back(numbers.try_emplace(it->second, numbers.size()).first->second);
  }
  if (of_label.empty())
    return Error{fmt::format("{} has no label for any of these documents", file)};
  return Agreement{of_label.size(), purity(of_cluster, of_label),
                   adjusted_rand_index(of_cluster, of_label)};
}

nlohmann::ordered_json to_json(const HitsArray& array, const HitsClusters& clusters) {
  nlohmann::ordered_json all = nlohmann::json::array();
  for (const HitsCluster& cluster : clusters.clusters) {
    nlohmann::ordered_json marks = nlohmann::json::array(), pages = nlohmann::json::array();
    for (const auto& mark : cluster.marks) {
      marks.push_back({{"signature", array.signatures[mark.signature]},
                       {"words", words_of_signature(array.signatures[mark.signature])},
                       {"lead", mark.lead},
                       {"share", mark.share}});
    }
    for (const uint32_t row : cluster.rows) pages.push_back(array.rows[row].document);
    all.push_back({{"size", cluster.rows.size()}, {"signatures", marks}, {"documents", pages}});
  }
  return all;
}

void print(const HitsArray& array, const HitsClusters& clusters) {
  constexpr size_t kPages = 5;
  for (size_t c = 0; c < clusters.clusters.size(); ++c) {
    const HitsCluster& cluster = clusters.clusters[c];
    fmt::print("cluster {}: {} documents\n", c + 1, cluster.rows.size());
    for (const auto& mark : cluster.marks) {
      fmt::print("  {:<44} in {:>3.0f} % of them\n",
                 label_of_signature(array.signatures[mark.signature]), 100 * mark.share);
    }
    for (size_t i = 0; i < std::min(kPages, cluster.rows.size()); ++i) {
      const HitsRow& row = array.rows[cluster.rows[i]];
      fmt::print("    {}\n",
                 shortened(row.title.empty() ? row.document : row.title + "  " + row.document, 74));
    }
  }
}

}  // namespace

int signature_cluster_command(CommandLine line) {
  Arguments arguments("signature cluster", "Groups the documents of hits arrays by their hits.",
                      "dowser signature cluster birds.hadf --clusters 4 --svg birds.svg");
  std::vector<std::string> hits;
  ClusterHitsOptions options;
  std::string labels, svg, arff;
  bool json = false;
  arguments.option("clusters", "K", "number of clusters (default 4; 0: chosen from the data)",
                   whole_number(&options.clusters, "clusters", 0, 10000));
  arguments.option("labels", "FILE.tsv",
                   "labels, to print purity and adjusted Rand index: lines of document, tab, label",
                   &labels);
  arguments.option("svg", "FILE", "write a picture of the array by cluster", output_file(&svg));
  arguments.option("arff", "FILE", "write the array with the clusters, for WEKA",
                   output_file(&arff));
  arguments.flag("json", "print one JSON object", &json);
  arguments.words("FILE.hadf", "hits arrays; several are merged", &hits);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const auto failed = [](const Error& e) { return fail("signature cluster", e); };
  const std::vector<std::filesystem::path> files(hits.begin(), hits.end());
  const auto array = read_hits(files);
  if (!array) return failed(array.error());
  const auto clusters = cluster_hits(*array, options);
  if (!clusters) return failed(clusters.error());
  std::optional<Agreement> agree;
  if (!labels.empty()) {
    const auto found = agreement(labels, *array, *clusters);
    if (!found) return failed(found.error());
    agree = *found;
  }
  if (!svg.empty()) {
    if (Status s = write_file(svg, hits_svg(*array, *clusters)); !s) return failed(s.error());
  }
  if (!arff.empty()) {
    if (Status s = write_file(arff, arff_text(*array, clusters->cluster_of)); !s) {
      return failed(s.error());
    }
  }
  if (json) {
    nlohmann::ordered_json all = {{"documents", array->rows.size()},
                                  {"clusters", to_json(*array, *clusters)}};
    if (agree) {
      all["labelled"] = agree->labelled;
      all["purity"] = agree->purity;
      all["adjusted_rand_index"] = agree->ari;
    }
    print_json(all);
    return kDone;
  }
  print(*array, *clusters);
  if (agree) {
    fmt::print("purity {:.3f}, adjusted Rand index {:.3f} on {} labelled documents\n",
               agree->purity, agree->ari, agree->labelled);
  }
  return kDone;
}

}  // namespace dowser
