#pragma once

#include <filesystem>
#include <vector>

#include "report/report.h"

namespace dowser {

// The words that most tell the relevant pages of a crawl from the others, strongest first, by
// reading a sample of both again from the crawl's own archive. Empty if fewer than three pages
// were relevant.
Result<std::vector<TopWord>> top_words(const std::filesystem::path& catalogue,
                                       const std::filesystem::path& archive_folder, size_t n = 48);

}  // namespace dowser
