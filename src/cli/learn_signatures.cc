#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/new_file.h"
#include "cli/option_values.h"
#include "cli/print_json.h"
#include "cli/signature.h"
#include "learn/signature/signature_files.h"

// dowser learn signatures: the tool-chain from training texts to a refined library in one command.

namespace dowser {
namespace {

struct Given {
  DocumentOptions documents;
  SignatureLibraryOptions options;
  std::vector<std::string> training, background;
  std::string to;
  bool json = false;
};

Status write_all_of(const TrainedLibrary& trained, const std::filesystem::path& to) {
  if (Status s = write_library(to, trained.library); !s) return s;
  if (Status s = write_keyword_folder(to / "keywords", trained.groups); !s) return s;
  return write_file(to / "training.hadf", hadf_text(trained.training));
}

void print_as_json(const Given& given, const TrainedLibrary& trained, size_t training,
                   size_t background) {
  nlohmann::ordered_json all = nlohmann::json::array();
  for (size_t i = 0; i < trained.all.size(); ++i) {
    const Signature& s = trained.all[i];
    const RefinedSignature& r = trained.refinement.signatures[i];
    all.push_back({{"name", s.name},
                   {"angle", s.angle},
                   {"support", s.support},
                   {"training_documents", s.evidence.training},
                   {"background_documents", s.evidence.background},
                   {"precision", s.evidence.precision()},
                   {"kept", r.kept},
                   {"reason", r.reason}});
  }
  const nlohmann::ordered_json json = {
      {"training", training},
      {"background", background},
      {"groups", trained.groups.size()},
      {"kept", trained.library.size()},
      {"least_relevance", trained.library.empty() ? 0.0 : trained.library.front().least_relevance},
      {"signatures", all},
      {"to", given.to}};
  print_json(json);
}

void print(const Given& given, const TrainedLibrary& trained, size_t training, size_t background) {
  fmt::print("{:<42}{:>7}{:>9}{:>10}{:>11}\n", "signature", "angle", "training", "elsewhere",
             "precision");
  for (const Signature& s : trained.library) {
    fmt::print("{:<42}{:>7.3f}{:>9}{:>10}{:>11.2f}\n", s.name, s.angle, s.evidence.training,
               s.evidence.background, s.evidence.precision());
  }
  fmt::print(
      "{} groups of keywords from {} training and {} background documents gave {} signatures;\n{} "
      "are kept, the others are weak, redundant or not precise: {}\n",
      trained.groups.size(), training, background, trained.all.size(), trained.library.size(),
      given.to);
  const double least = trained.library.empty() ? 0 : trained.library.front().least_relevance;
  if (least > 0) fmt::print("a page is relevant from a relevance of {:.4f} on\n", least);
}

}  // namespace

int learn_signatures_command(CommandLine line) {
  Given given;
  Arguments arguments(
      "learn signatures", "Learns a library of semantic signatures from texts on a topic.",
      "dowser learn signatures --training birds/ --background others/ --to library");
  arguments.list("training", "PLACE", "files, folders, crawls or addresses on the topic",
                 &given.training);
  arguments.list("background", "PLACE",
                 "texts on other topics (default: the program's own vocabulary)",
                 &given.background);
  arguments.option("to", "DIR", "the library: .ssd files, keywords/ and training.hadf", &given.to);
  add_web_option(arguments, given.documents);
  add_text_options(arguments, given.documents);
  add_keyword_options(arguments, given.options);
  add_learn_options(arguments, given.options);
  add_refine_options(arguments, given.options);
  arguments.option("least-precision", "R",
                   "smallest precision of a signature to keep: of the training and background "
                   "documents with a hit, the share that is on the topic (default 0.2)",
                   real_number(&given.options.least_precision, "least-precision", 0, 1));
  arguments.flag("json", "print one JSON object", &given.json);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const auto failed = [](const Error& e, int code = kFailed) {
    return fail("learn signatures", e, code);
  };
  if (given.training.empty()) return failed({"name texts on the topic with --training"}, kUsage);
  if (given.to.empty()) return failed({"name the folder for the library with --to DIR"}, kUsage);
  if (Status s = read_synonyms(given.documents); !s) return failed(s.error());
  given.options.settings = given.documents.settings;
  auto training = read_documents(given.training, given.documents);
  if (!training) return failed(training.error());
  std::optional<SignatureDocuments> background;
  if (!given.background.empty()) {
    auto read = read_documents(given.background, given.documents);
    if (!read) return failed(read.error());
    background = std::move(*read);
  }
  SignatureDocuments* others = background ? &*background : nullptr;
  if (Status s = prepare_documents(*training, others); !s) return failed(s.error());
  const auto trained = train_library(*training, others, given.options);
  if (!trained) return failed(trained.error());
  if (Status s = write_all_of(*trained, given.to); !s) return failed(s.error());
  const size_t elsewhere = others ? others->size() : 0;
  given.json ? print_as_json(given, *trained, training->size(), elsewhere)
             : print(given, *trained, training->size(), elsewhere);
  return kDone;
}

}  // namespace dowser
