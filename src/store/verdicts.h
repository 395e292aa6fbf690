#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "store/database.h"
#include "store/sense_tables.h"

// The verdicts in a catalogue: columns relevance, relevant, label and reasons of its pages. When a
// page comes it gets the verdict of that moment, which relevance_at_fetch and relevant_at_fetch
// keep. When the crawl has ended, all pages are judged again.

namespace dowser {

struct FinalVerdict {
  double relevance = 0;
  bool relevant = false;
  std::string label;    // "" for none
  std::string reasons;  // JSON, "" for none
};

// By what all pages were judged.
struct JudgedBy {
  std::string judge;
  double threshold = 0;
  uint32_t pages = 0;  // that the catalogue had then
};

// Gives all pages new verdicts, in one transaction: whatever kills the process, the catalogue has
// all of the old verdicts or all of the new ones. Sums of rows and counts of hosts follow.
// `verdict_of` is called for each page in ascending order of id; nothing means the verdict at
// fetch. Nothing for `judged_by`: the pages go back to the verdicts at fetch, as if they had not
// been judged again. `senses` replace those of the catalogue. `configuration` replaces that of the
// newest run, if it is not empty.
Status write_verdicts(const std::filesystem::path& catalogue,
                      const std::function<std::optional<FinalVerdict>(uint32_t page)>& verdict_of,
                      const std::optional<JudgedBy>& judged_by,
                      std::span<const StoredSense> senses = {},
                      const std::string& configuration = "");

// Nothing if the pages have not been judged again, as in catalogues of older versions.
Result<std::optional<JudgedBy>> judged_by(const std::filesystem::path& catalogue);

}  // namespace dowser
