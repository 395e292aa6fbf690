#include "text/analyzer.h"

#include <algorithm>
#include <utility>

#include "text/language.h"

namespace dowser {
namespace {

std::string_view algorithm_for(std::string_view language, Stemming stemming) {
  if (stemming == Stemming::kNone) return "";
  return stemming == Stemming::kPorter && language == "en" ? "porter" : language;
}

}  // namespace

struct Analyzer::Pipeline {
  Pipeline(std::string_view code, const AnalyzerOptions& options)
      : language(code),
        tokens(token_options_for(code, options.tokens)),
        stops(options.remove_stop_words ? stop_words(code) : stop_words("")),
        stemmer(algorithm_for(code, options.stemming)) {}

  std::string language;
  TokenOptions tokens;
  const StopWords& stops;
  Stemmer stemmer;
};

TokenOptions token_options_for(std::string_view language, TokenOptions options) {
  const auto one_of = [language](std::initializer_list<std::string_view> codes) {
    return std::find(codes.begin(), codes.end(), language) != codes.end();
  };
  options.turkic_case = one_of({"tr", "az"});
  options.apostrophes = options.turkic_case                      ? ApostropheRule::kCut
                        : one_of({"fr", "it", "ca", "oc", "co"}) ? ApostropheRule::kSplit
                                                                 : ApostropheRule::kKeep;
  return options;
}

Analyzer::Analyzer(AnalyzerOptions options) : options_(std::move(options)) {}
Analyzer::~Analyzer() = default;
Analyzer::Analyzer(Analyzer&&) noexcept = default;
Analyzer& Analyzer::operator=(Analyzer other) noexcept {
  std::swap(options_, other.options_);
  std::swap(pipelines_, other.pipelines_);
  return *this;
}

Analyzer::Pipeline& Analyzer::pipeline_for(std::string_view language) {
  if (language.empty()) language = "en";
  for (const auto& pipeline : pipelines_) {
    if (pipeline->language == language) return *pipeline;
  }
  // A crawl of many languages must not keep a stemmer for each of them.
  constexpr size_t kMost = 16;
  if (pipelines_.size() == kMost) pipelines_.erase(pipelines_.begin());
  return *pipelines_.emplace_back(std::make_unique<Pipeline>(language, options_));
}

void Analyzer::for_each_term(std::string_view utf8, TokenCallback callback) {
  if (options_.language == "auto") return for_each_term(utf8, detect_language(utf8), callback);
  for_each_term(utf8, options_.language, callback);
}

void Analyzer::for_each_term(std::string_view utf8, std::string_view language,
                             TokenCallback callback) {
  Pipeline& pipeline = pipeline_for(language);
  for_each_token(utf8, pipeline.tokens, [&](std::string_view token) {
    if (!pipeline.stops.contains(token)) callback(pipeline.stemmer.stem(token));
  });
}

std::vector<std::string> Analyzer::terms(std::string_view utf8) {
  std::vector<std::string> out;
  for_each_term(utf8, [&out](std::string_view term) { out.emplace_back(term); });
  return out;
}

}  // namespace dowser
