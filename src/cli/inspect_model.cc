#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/arguments.h"
#include "cli/inspect.h"
#include "cli/print_json.h"
#include "learn/hmm_file.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kWordsOfLine = 12;

Json rows_of(const CountMatrix& m) {
  Json rows = Json::array();
  for (size_t r = 0; r < m.rows; ++r) {
    rows.push_back(std::vector<double>(m.row(r).begin(), m.row(r).end()));
  }
  return rows;
}

Json words_json(const std::vector<HmmFile::Word>& words) {
  Json all = Json::array();
  for (const HmmFile::Word& w : words) all.push_back({{"word", w.word}, {"value", w.value}});
  return all;
}

std::vector<size_t> sizes_of(std::span<const uint32_t> numbers, size_t count) {
  std::vector<size_t> sizes(count);
  for (const uint32_t n : numbers) ++sizes[n];
  return sizes;
}

Json to_json(const HmmFile& file) {
  const HmmModel& model = file.model;
  Json clusters = Json::array(), pages = Json::array();
  const auto sizes = sizes_of(model.pages().parts().labels, model.clusters());
  for (size_t i = 0; i < file.clusters.size(); ++i) {
    clusters.push_back(
        {{"pages", sizes[i]},
         {"log_odds", words_json(file.clusters[i].by_log_odds)},
         {"mutual_information", words_json(file.clusters[i].by_mutual_information)}});
  }
  for (size_t i = 0; i < file.addresses.size(); ++i) {
    pages.push_back({{"url", file.addresses[i]},
                     {"cluster", model.pages().parts().labels[i]},
                     {"state", model.states()[i]}});
  }
  return {{"kind", HmmFile::kKind},
          {"topics", file.topics},
          {"sessions", file.sessions},
          {"links", file.links},
          {"states", model.chain().states()},
          {"unreachable", model.unreachable()},
          {"knows_no_way", model.knows_no_way()},
          {"dimensions", model.space().dimensions()},
          {"terms", model.space().parts().terms.size()},
          {"smoothing", file.smoothing},
          {"seed", file.seed},
          {"transitions", rows_of(model.chain().parts().transitions)},
          {"emissions", rows_of(model.chain().parts().emissions)},
          {"link_counts", rows_of(model.link_counts())},
          {"cluster_counts", rows_of(model.cluster_counts())},
          {"clusters", clusters},
          {"pages", pages}};
}

void print_matrix(std::string_view title, char row, char column, const CountMatrix& m) {
  fmt::print("\n{}\n      ", title);
  for (size_t c = 0; c < m.columns; ++c) fmt::print("{:>7}", fmt::format("{}{}", column, c));
  fmt::print("\n");
  for (size_t r = 0; r < m.rows; ++r) {
    fmt::print("  {}{:<3}", row, r);
    for (const double x : m.row(r)) fmt::print("{:>7.3f}", x);
    fmt::print("\n");
  }
}

void print(const HmmFile& file) {
  const HmmModel& model = file.model;
  fmt::print("learned from {} session{}: {} pages, {} links; {} words in {} dimensions\n",
             file.sessions, file.sessions == 1 ? "" : "s", file.addresses.size(), file.links,
             file.words.size(), model.space().dimensions());
  const auto states = sizes_of(model.states(), model.chain().states());
  for (size_t i = 0; i < states.size(); ++i) fmt::print("  T{:<3}{:>6} pages\n", i, states[i]);
  fmt::print("  {} pages have no path to a useful one and belong to T{}\n", model.unreachable(),
             states.size() - 1);
  print_matrix("Links of a state (row) lead to states (columns)", 'T', 'T',
               model.chain().parts().transitions);
  print_matrix("Pages of a state (row) belong to groups (columns); C0 are the useful pages", 'T',
               'C', model.chain().parts().emissions);
  const auto sizes = sizes_of(model.pages().parts().labels, model.clusters());
  fmt::print("\nGroups, with their strongest words by log odds and by mutual information\n");
  for (size_t i = 0; i < file.clusters.size(); ++i) {
    for (const bool odds : {true, false}) {
      const auto& words =
          odds ? file.clusters[i].by_log_odds : file.clusters[i].by_mutual_information;
      std::string line;
      for (size_t w = 0; w < std::min(words.size(), kWordsOfLine); ++w) line += " " + words[w].word;
      fmt::print("  {:<4}{:>6}  {}\n", odds ? fmt::format("C{}", i) : "",
                 odds ? std::to_string(sizes[i]) : "", line);
    }
  }
}

}  // namespace

int inspect_model_command(CommandLine line) {
  Arguments arguments("inspect model", "Shows what was learned from browsing.",
                      "dowser inspect model hockey.json");
  std::string path;
  bool json = false;
  arguments.flag("json", "print one JSON object, with every page and 30 words of each group",
                 &json);
  arguments.word("MODEL", "a model that dowser learn hmm has written", &path);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const Result<std::string> text = read_file(path, kLargestData);
  if (!text) return fail("inspect model", text.error());
  const Result<HmmFile> file = read_hmm_file(*text);
  if (!file) {
    return fail("inspect model", Error{fmt::format("{}: {}", path, file.error().message)});
  }
  if (file->model.knows_no_way()) {
    fmt::print(stderr,
               "dowser inspect model: warning: no page that this model was learned from links to a "
               "useful one, so it knows nothing about the way to one\n");
  }
  if (json) {
    print_json(to_json(*file));
  } else {
    print(*file);
  }
  return kDone;
}

}  // namespace dowser
