#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/new_file.h"
#include "cli/output_file.h"
#include "cli/signature.h"
#include "learn/signature/signature_files.h"

// dowser signature hits and dowser signature refine.

namespace dowser {
namespace {

namespace fs = std::filesystem;

std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The format by the ending of the file.
Result<std::string> text_of(const HitsArray& array, const std::string& file) {
  if (file.ends_with(".hadf")) return hadf_text(array);
  if (file.ends_with(".csv")) return csv_text(array);
  if (file.ends_with(".arff")) return arff_text(array);
  return Error{fmt::format("{} must end in .hadf, .csv or .arff", file)};
}

}  // namespace

int signature_hits_command(CommandLine line) {
  Arguments arguments("signature hits",
                      "Counts how often each signature of a library occurs in each document.",
                      "dowser signature hits --library library --documents birds/ --to birds.hadf");
  DocumentOptions documents;
  std::vector<std::string> places, merge, to;
  std::string library_place;
  bool words = false, json = false;
  arguments.option("library", "DIR", "the .ssd files", &library_place);
  arguments.list("documents", "PLACE", "files, folders, crawls or addresses", &places);
  arguments.list("merge", "FILE.hadf", "hits arrays to add", &merge);
  arguments.list("to", "FILE", "the files to write: .hadf, .csv or .arff", output_files(&to));
  arguments.flag("words", "count the library's single words instead of its signatures", &words);
  add_web_option(arguments, documents);
  arguments.flag("json", "print one JSON object", &json);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const auto failed = [](const Error& e, int code = kFailed) {
    return fail("signature hits", e, code);
  };
  if (to.empty()) return failed({"name the file to write with --to FILE.hadf"}, kUsage);
  if (merge.empty() && (library_place.empty() || places.empty())) {
    return failed({"name --library DIR and --documents PLACE, or arrays to --merge"}, kUsage);
  }
  HitsArray array;
  size_t looked_at = 0;
  std::vector<fs::path> files(merge.begin(), merge.end());
  if (!library_place.empty() && !places.empty()) {
    const auto library = read_library(library_place);
    if (!library) return failed(library.error());
    documents.settings = library->front().settings;
    const auto read = read_documents(places, documents);
    if (!read) return failed(read.error());
    looked_at = read->size();
    array = hits_of(*library, *read, words);
  }
  if (!files.empty()) {
    const auto merged = read_hits(files);
    if (!merged) return failed(merged.error());
    array = merge_hits(std::move(array), *merged);
  }
  for (const std::string& file : to) {
    const auto text = text_of(array, file);
    if (!text) return failed(text.error(), kUsage);
    if (Status s = write_file(file, *text); !s) return failed(s.error());
  }
  if (json) {
    fmt::print("{}\n", dump({{"documents", looked_at},
                             {"with_hits", array.rows.size()},
                             {"signatures", array.signatures.size()},
                             {"to", to}}));
  } else {
    fmt::print("{} of {} documents have a hit of {} {}\n", array.rows.size(), looked_at,
               array.signatures.size(), words ? "words" : "signatures");
    if (array.rows.empty()) {
      fmt::print(
          "no document has a hit: are the documents in the language of the library, and on its "
          "topic?\n");
    }
  }
  return kDone;
}

int signature_refine_command(CommandLine line) {
  Arguments arguments("signature refine",
                      "Keeps the strong signatures of a library by their hits on the training "
                      "documents, and says why the others are dropped.",
                      "dowser signature refine --library library --hits birds.hadf --to refined");
  SignatureLibraryOptions options;
  std::vector<std::string> hits;
  std::string library_place, to;
  bool json = false;
  arguments.option("library", "DIR", "the .ssd files", &library_place);
  arguments.list("hits", "FILE.hadf", "the hits of these signatures on the training documents",
                 &hits);
  arguments.option("to", "DIR", "the folder for the signatures that are kept", &to);
  add_refine_options(arguments, options);
  arguments.flag("json", "print one JSON object", &json);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const auto failed = [](const Error& e, int code = kFailed) {
    return fail("signature refine", e, code);
  };
  if (library_place.empty() || hits.empty() || to.empty()) {
    return failed({"name --library DIR, --hits FILE.hadf and --to DIR"}, kUsage);
  }
  const auto library = read_library(library_place);
  if (!library) return failed(library.error());
  const std::vector<fs::path> files(hits.begin(), hits.end());
  const auto read = read_hits(files);
  if (!read) return failed(read.error());
  // The columns of the array are those of the library, in its order.
  HitsArray all;
  for (const Signature& s : *library) all.signatures.push_back(s.name);
  const HitsArray array = merge_hits(std::move(all), *read);
  if (array.signatures.size() > library->size()) {
    return failed({fmt::format("{} has hits of {}, which is not in {}", hits.front(),
                               array.signatures[library->size()], library_place)});
  }
  const auto refinement = refine_signatures(array, options.refine);
  if (!refinement) return failed(refinement.error());
  std::vector<Signature> kept;
  for (size_t i = 0; i < library->size(); ++i) {
    if (refinement->signatures[i].kept) kept.push_back((*library)[i]);
  }
  if (Status s = write_library(to, kept); !s) return failed(s.error());
  if (json) {
    nlohmann::ordered_json list = nlohmann::json::array();
    for (size_t i = 0; i < library->size(); ++i) {
      const RefinedSignature& r = refinement->signatures[i];
      list.push_back({{"name", (*library)[i].name},
                      {"kept", r.kept},
                      {"strength", r.strength},
                      {"cluster", r.cluster},
                      {"reason", r.reason}});
    }
    fmt::print("{}\n", dump({{"kept", kept.size()},
                             {"dimensions", refinement->dimensions},
                             {"signatures", list},
                             {"to", to}}));
    return kDone;
  }
  for (size_t i = 0; i < library->size(); ++i) {
    fmt::print("{:<44} {}\n", (*library)[i].name, refinement->signatures[i].reason);
  }
  fmt::print("{} of {} signatures are kept: {}\n", kept.size(), library->size(), to);
  return kDone;
}

}  // namespace dowser
