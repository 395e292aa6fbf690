#include "run/crawl_model.h"

#include <filesystem>

#include "base/file.h"
#include "judge/trained/model_judge.h"
#include "learn/model_container.h"
#include "learn/signature/signature_files.h"

namespace dowser {
namespace {

Result<std::string> read_text(const CrawlConfig& config) {
  if (config.model.empty()) return std::string();
  const auto copy = std::filesystem::path(config.out) / CrawlModel::kCopy;
  std::error_code failed;
  if (std::filesystem::exists(copy, failed)) return read_file(copy, kLargestData);
  return read_model(config.model);
}

}  // namespace

Result<std::string> read_model(const std::filesystem::path& place) {
  std::error_code failed;
  if (!std::filesystem::is_directory(place, failed)) return read_file(place, kLargestData);
  const auto library = read_library(place);
  if (!library) return library.error();
  return library_text(*library);
}

Result<CrawlModel> CrawlModel::read(const CrawlConfig& config) {
  Result<std::string> text = read_text(config);
  if (!text) return text.error();
  return of(std::move(*text));
}

Result<CrawlModel> CrawlModel::of(std::string text) {
  CrawlModel model{std::move(text), {}};
  if (model.text.empty()) return model;
  const Result<ModelHeader> header = read_model_header(model.text);
  if (!header) return header.error();
  if (header->kind != HmmFile::kKind) return model;  // its judge reads the text
  Result<HmmFile> hmm = read_hmm_file(model.text);
  if (!hmm) return hmm.error();
  model.hmm = std::move(*hmm);
  return model;
}

JudgeContext CrawlModel::judge_context(const CrawlConfig& config, const Topic& topic) const {
  if (hmm) return {topic, config.threshold, "", &*hmm};
  return {topic, config.threshold, text};
}

std::optional<std::string> judge_of_model(const CrawlConfig& config) {
  const Result<std::string> text = read_text(config);
  if (!text || text->empty()) return std::nullopt;
  const Result<ModelHeader> header = read_model_header(*text);
  if (!header) return std::nullopt;
  return header->kind == HmmFile::kKind ? "lsi" : judge_of_kind(header->kind);
}

}  // namespace dowser
