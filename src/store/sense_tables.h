#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/database.h"

// The meanings of the relevant pages in a catalogue: tables senses and sense_pages, which
// docs/formats.md describes. The final judgement writes them with the verdicts (store/verdicts.h).

namespace dowser {

extern const char kSenseSchema[];

struct StoredSense {
  std::string words;            // separated by blanks
  std::vector<uint32_t> pages;  // the most typical ones first
};

// Replaces all senses, within the transaction that the caller has begun.
Status write_senses(Database& database, std::span<const StoredSense> senses);

// The sense's words, and the addresses of its pages after redirects.
struct SenseOfPages {
  std::string words;
  std::vector<std::string> urls;  // the most typical pages first
};
// Numbered from 1 on, as in the table. Empty if the pages have one meaning, and in catalogues of
// older versions.
Result<std::vector<SenseOfPages>> read_senses(const std::filesystem::path& catalogue);

}  // namespace dowser
