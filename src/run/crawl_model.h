#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "judge/judge.h"
#include "learn/hmm_file.h"
#include "run/config.h"

namespace dowser {

// The model of a crawl (--model), which `dowser learn` made. A crawl keeps a copy of it in its
// folder and reads that one when it is resumed, since the original may have changed.
struct CrawlModel {
  static constexpr char kCopy[] = "model.json";

  std::string text;            // of the file; empty if the crawl has no model
  std::optional<HmmFile> hmm;  // its content, if `dowser learn hmm` made it

  static Result<CrawlModel> read(const CrawlConfig& config);
  static Result<CrawlModel> of(std::string text);

  // What a judge is given. The model and the topic outlive it.
  JudgeContext judge_context(const CrawlConfig& config, const Topic& topic) const;
};

// The text of a model: of its file, or of a folder, which is a library of signatures.
Result<std::string> read_model(const std::filesystem::path& place);

// The text form of the judge that uses the model; nothing if there is no model or it is damaged.
std::optional<std::string> judge_of_model(const CrawlConfig& config);

}  // namespace dowser
