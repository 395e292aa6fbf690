#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/file.h"
#include "cli/option_values.h"
#include "cli/progress.h"
#include "cli/signature.h"
#include "run/document_places.h"
#include "text/stop_words.h"
#include "text/tokens.h"

namespace dowser {
namespace {

Arguments::Set choice(std::string name, std::vector<std::string> choices,
                      std::function<void(std::string_view)> set) {
  return [=](std::string_view text) -> Status {
    if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
      std::string all;
      for (const std::string& c : choices) all += (all.empty() ? "" : ", ") + c;
      return Error{fmt::format("{} must be one of {}, not '{}'", name, all, text)};
    }
    set(text);
    return {};
  };
}

// One word in lower case, as texts are split; "" if it is none or several.
std::string single_token(std::string_view text) {
  const std::vector<std::string> all = tokens(text);
  return all.size() == 1 ? all.front() : "";
}

}  // namespace

void add_web_option(Arguments& arguments, DocumentOptions& options) {
  arguments.list("web", "FILE", "the archive that contains the addresses among the places",
                 &options.web);
}

void add_text_options(Arguments& arguments, DocumentOptions& options) {
  SignatureSettings& s = options.settings;
  arguments.option(
      "text", "paragraphs|text|all",
      "the parts of a page to use: paragraphs, text (also lists and tables), or all (default text)",
      choice("text", {"paragraphs", "text", "all"},
             [&s](std::string_view text) { s.text = text; }));
  arguments.option("synonyms", "FILE", "a file of synonyms: lines of word, tab, replacement",
                   &options.synonyms_file);
  arguments.option("stemming", "yes|no", "reduce words to their stems (default no)",
                   choice("stemming", {"yes", "no"},
                          [&s](std::string_view text) { s.stemming = text == "yes"; }));
  arguments.option("window", "N", "number of words on either side of a head (default 10)",
                   whole_number(&s.window, "window", 1, 1000));
  arguments.option("decay", "C",
                   "c of the nearness exp(-(d-1)/c) of words at distance d (default 5)",
                   real_number(&s.decay, "decay", 0.01, 1e6));
}

void add_keyword_options(Arguments& arguments, SignatureLibraryOptions& options) {
  arguments.option("weighting", "tf-idf|tf", "how heads are weighted (default tf-idf)",
                   choice("weighting", {"tf-idf", "tf"},
                          [&](std::string_view text) { options.weighting = text; }));
  arguments.option("heads", "N",
                   "number of heads, the strongest words, of each training document (default 5)",
                   whole_number(&options.keywords.heads, "heads", 1, 1000));
  arguments.option("correlates", "N", "number of words near a head to pair with it (default 3)",
                   whole_number(&options.keywords.correlates, "correlates", 2, 100));
  arguments.option("spread", "R",
                   "share of the training documents that must contain a head (default 0.25)",
                   real_number(&options.keywords.spread, "spread", 0, 1));
  arguments.option(
      "near-spread", "R",
      "share of the training documents that must contain a word near it (default 0.25)",
      real_number(&options.keywords.near_spread, "near-spread", 0, 1));
  arguments.option("near", "set|document",
                   "count the words near a head in all training documents together, or in each "
                   "document separately (default set)",
                   choice("near", {"set", "document"}, [&](std::string_view text) {
                     options.keywords.per_document = text == "document";
                   }));
}

void add_learn_options(Arguments& arguments, SignatureLibraryOptions& options) {
  LearnSignatureOptions& l = options.learn;
  arguments.option("vector-clusters", "K",
                   "number of clusters of a group's vectors (default 0: chosen from the data)",
                   whole_number(&l.clusters, "vector-clusters", 0, 1000));
  arguments.option("most-vector-clusters", "K",
                   "largest number of clusters to choose from the data (default 4)",
                   whole_number(&l.most_clusters, "most-vector-clusters", 1, 1000));
  arguments.option("least-support", "N", "number of vectors that a signature needs (default 3)",
                   whole_number(&l.least_support, "least-support", 1, 1000000));
  arguments.option(
      "quantile", "R",
      "share of the vectors that must lie within the angle of a signature (default 0.9)",
      real_number(&l.quantile, "quantile", 0.01, 1));
  arguments.option("least-angle", "RAD", "smallest angle of a signature (default 0.01)",
                   real_number(&l.least_angle, "least-angle", 0, 1.6));
}

void add_refine_options(Arguments& arguments, SignatureLibraryOptions& options) {
  RefineOptions& r = options.refine;
  arguments.option("energy", "R", "share of the array that the SVD keeps (default 0.9)",
                   real_number(&r.energy, "energy", 0.01, 1));
  arguments.option("weak", "R",
                   "smallest strength to keep, relative to the strongest signature (default 0.05)",
                   real_number(&r.weak, "weak", 0, 1));
  arguments.option("redundant", "R",
                   "cosine from which two signatures are redundant (default 0.95)",
                   real_number(&r.redundant, "redundant", 0, 1.000001));
  arguments.option("column-clusters", "K",
                   "number of clusters of signatures (default 0: chosen from the data)",
                   whole_number(&r.clusters, "column-clusters", 0, 10000));
}

Status read_synonyms(DocumentOptions& options) {
  if (options.synonyms_file.empty()) return {};
  const Result<std::string> text = read_file(options.synonyms_file);
  if (!text) return text.error();
  std::istringstream lines(*text);
  size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    const auto wrong = [&](std::string_view what) {
      return Error{fmt::format("{}, line {}: {}", options.synonyms_file, number, what)};
    };
    const size_t tab = line.find('\t');
    if (tab == std::string::npos) return wrong("a synonym is a word, a tab and its replacement");
    const std::string word = single_token(line.substr(0, tab));
    const std::string replacement = single_token(line.substr(tab + 1));
    if (word.empty() || replacement.empty()) {
      return wrong("both sides of the tab must be one word each");
    }
    options.settings.synonyms.emplace_back(word, replacement);
  }
  auto& all = options.settings.synonyms;
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return {};
}

Result<SignatureDocuments> read_documents(const std::vector<std::string>& places,
                                          const DocumentOptions& options) {
  SignatureDocuments documents;
  const PageWords reader(options.settings);
  ProgressLine line;
  const Result<SkippedDocuments> read = each_document(
      places, options.web,
      [&](NamedDocument document) -> Status {
        documents.add(reader, document.page, std::move(document.name));
        return {};
      },
      [&](size_t done, size_t of) {
        line.watch({"documents", done, of});
      });
  if (!read) return read.error();
  if (read->count > 0) {
    line.clear();
    print_to_stderr(
        fmt::format("dowser: {} of a list {} left out; the first one: {}\n",
                    read->count == 1 ? "1 address" : fmt::format("{} addresses", read->count),
                    read->count == 1 ? "was" : "were", read->first));
  }
  return documents;
}

}  // namespace dowser
