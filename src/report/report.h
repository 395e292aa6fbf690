#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/advice.h"
#include "store/sense_tables.h"

// report.html: what a crawl found. One file, no network: it can be mailed. Its one script moves a
// slider; all else works without it.

namespace dowser {

// A word that tells relevant pages from the others, and how strongly (only the order and proportion
// matter).
using TopWord = std::pair<std::string, double>;

struct ReportInput {
  std::filesystem::path catalogue;
  std::string topic;     // words, or "12 example pages"
  std::string strategy;  // text forms
  std::string judge;
  double threshold = 0;
  std::vector<TopWord> words;
  std::optional<Advice> advice;
  std::vector<std::string> hints;    // what seems wrong, and what to try
  size_t doubtful = 0;               // pages that are not called relevant, and may be
  std::vector<std::string> doubts;   // about all relevant pages: then there is no advice
  std::vector<SenseOfPages> senses;  // of the relevant pages; empty if they have one meaning
  std::string clusters;              // a section of HTML, "" if the judge has no signatures
};

Result<std::string> report_html(const ReportInput& input);

}  // namespace dowser
