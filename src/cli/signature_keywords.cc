#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/signature.h"
#include "learn/signature/signature_files.h"

// dowser signature keywords and dowser signature learn.

namespace dowser {
namespace {

std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

int signature_keywords_command(CommandLine line) {
  Arguments arguments(
      "signature keywords",
      "Finds the groups of three keywords that the texts of a topic are about.",
      "dowser signature keywords --training birds/ --background others/ --to groups");
  DocumentOptions documents;
  SignatureLibraryOptions options;
  std::vector<std::string> training_places, background_places;
  std::string to;
  bool json = false;
  arguments.list("training", "PLACE", "files, folders, crawls or addresses on the topic",
                 &training_places);
  arguments.list("background", "PLACE",
                 "texts on other topics (default: the program's own vocabulary)",
                 &background_places);
  arguments.option("to", "DIR", "the folder for the .kdf files", &to);
  add_web_option(arguments, documents);
  add_text_options(arguments, documents);
  add_keyword_options(arguments, options);
  arguments.flag("json", "print one JSON object", &json);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const auto failed = [](const Error& e, int code = kFailed) {
    return fail("signature keywords", e, code);
  };
  if (training_places.empty()) return failed({"name texts on the topic with --training"}, kUsage);
  if (to.empty()) return failed({"name the folder for the .kdf files with --to DIR"}, kUsage);
  if (Status s = read_synonyms(documents); !s) return failed(s.error());
  auto training = read_documents(training_places, documents);
  if (!training) return failed(training.error());
  std::optional<SignatureDocuments> background;
  if (!background_places.empty()) {
    auto read = read_documents(background_places, documents);
    if (!read) return failed(read.error());
    background = std::move(*read);
  }
  if (Status s = prepare_documents(*training, background ? &*background : nullptr); !s) {
    return failed(s.error());
  }
  options.settings = documents.settings;
  const auto groups = find_groups(*training, background ? &*background : nullptr, options);
  if (!groups) return failed(groups.error());
  if (Status s = write_keyword_folder(to, *groups); !s) return failed(s.error());
  if (json) {
    nlohmann::ordered_json all = nlohmann::json::array();
    for (const KeywordGroup& g : *groups)
      all.push_back({{"words", g.words}, {"weights", g.weights}});
    fmt::print("{}\n", dump({{"training", training->size()},
                             {"background", background ? background->size() : 0},
                             {"groups", all},
                             {"to", to}}));
    return kDone;
  }
  for (const KeywordGroup& g : *groups) {
    fmt::print("{:<20} {:<20} {}\n", g.words[0], g.words[1], g.words[2]);
  }
  fmt::print("{} groups from {} training and {} background documents: {}\n", groups->size(),
             training->size(), background ? background->size() : 0, to);
  return kDone;
}

int signature_learn_command(CommandLine line) {
  Arguments arguments("signature learn", "Learns signatures from groups of keywords.",
                      "dowser signature learn --keywords groups --training birds/ --to library");
  DocumentOptions documents;
  SignatureLibraryOptions options;
  std::vector<std::string> training_places, background_places;
  std::string keywords, to;
  bool json = false;
  arguments.option("keywords", "DIR", "the .kdf files; their settings are used", &keywords);
  arguments.list("training", "PLACE", "files, folders, crawls or addresses on the topic",
                 &training_places);
  arguments.list("background", "PLACE",
                 "texts on other topics, to measure how precise a signature is",
                 &background_places);
  arguments.option("to", "DIR", "the folder for the .ssd files", &to);
  add_web_option(arguments, documents);
  add_learn_options(arguments, options);
  arguments.flag("json", "print one JSON object", &json);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const auto failed = [](const Error& e, int code = kFailed) {
    return fail("signature learn", e, code);
  };
  if (keywords.empty())
    return failed({"name the folder of .kdf files with --keywords DIR"}, kUsage);
  if (training_places.empty()) return failed({"name texts on the topic with --training"}, kUsage);
  if (to.empty()) return failed({"name the folder for the .ssd files with --to DIR"}, kUsage);
  const auto groups = read_keyword_folder(keywords);
  if (!groups) return failed(groups.error());
  documents.settings = groups->front().settings;
  auto training = read_documents(training_places, documents);
  if (!training) return failed(training.error());
  SignatureDocuments background;
  if (!background_places.empty()) {
    auto read = read_documents(background_places, documents);
    if (!read) return failed(read.error());
    background = std::move(*read);
  }
  if (Status s = prepare_documents(*training, background_places.empty() ? nullptr : &background);
      !s) {
    return failed(s.error());
  }
  auto library = learn_library(*groups, *training, options.learn);
  if (!library) return failed(library.error());
  add_evidence(*library, hits_of(*library, *training), training->size(),
               hits_of(*library, background), background.size());
  add_keyword_evidence(*library, *training, background);
  if (Status s = write_library(to, *library); !s) return failed(s.error());
  if (json) {
    nlohmann::ordered_json all = nlohmann::json::array();
    for (const Signature& s : *library) {
      all.push_back({{"name", s.name},
                     {"angle", s.angle},
                     {"support", s.support},
                     {"documents", s.documents},
                     {"precision", s.evidence.precision()}});
    }
    fmt::print("{}\n", dump({{"groups", groups->size()}, {"signatures", all}, {"to", to}}));
    return kDone;
  }
  fmt::print("{:<44}{:>8}{:>9}{:>11}\n", "signature", "angle", "vectors", "documents");
  for (const Signature& s : *library) {
    fmt::print("{:<44}{:>8.3f}{:>9}{:>11}\n", s.name, s.angle, s.support, s.documents);
  }
  fmt::print("{} signatures from {} groups: {}\n", library->size(), groups->size(), to);
  return kDone;
}

}  // namespace dowser
