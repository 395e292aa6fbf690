#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/stems.h"
#include "text/stop_words.h"
#include "text/tokens.h"

// Converts text to terms: tokens without stop words, reduced to their stems.
//
//   Analyzer analyzer;
//   analyzer.terms("The crawlers were crawling");   // crawler crawl

namespace dowser {

enum class Stemming : uint8_t {
  kNone,
  kSnowball,  // of the language; none if Snowball has no algorithm for it
  kPorter,    // English by Porter's algorithm of 1980, as in the papers; others as kSnowball
};

struct AnalyzerOptions {
  // ISO 639-1; "" means English; "auto" detects the language of each text, English if unsure.
  std::string language = "en";
  bool remove_stop_words = true;
  Stemming stemming = Stemming::kSnowball;
  // Case and apostrophes follow the language; these two settings are ignored here.
  TokenOptions tokens;

  friend bool operator==(const AnalyzerOptions&, const AnalyzerOptions&) = default;
};

// The token options that suit a language: apostrophes and Turkic case.
TokenOptions token_options_for(std::string_view language, TokenOptions options = {});

// Not thread-safe: every thread has its own. Copying one costs as little as making one. Two
// analyzers with the same options give the same terms.
class Analyzer {
 public:
  explicit Analyzer(AnalyzerOptions options = {});
  ~Analyzer();
  Analyzer(const Analyzer& other) : Analyzer(other.options_) {}
  Analyzer(Analyzer&&) noexcept;
  Analyzer& operator=(Analyzer other) noexcept;

  // Calls back with the terms of a text in order. A term is valid only during the call.
  void for_each_term(std::string_view utf8, TokenCallback callback);
  // The same in a language that the caller knows, such as that of the page around a short text.
  void for_each_term(std::string_view utf8, std::string_view language, TokenCallback callback);

  std::vector<std::string> terms(std::string_view utf8);

  const AnalyzerOptions& options() const { return options_; }

 private:
  struct Pipeline;  // for one language
  Pipeline& pipeline_for(std::string_view language);

  AnalyzerOptions options_;
  std::vector<std::unique_ptr<Pipeline>> pipelines_;  // few, so they are searched linearly
};

}  // namespace dowser
