#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/crawl_statistics.h"
#include "strategy/strategy.h"

// What earlier crawls left, for one that begins.

namespace dowser {

// The archive files of these places, in order: a file is one itself, the folder of a crawl has its
// own.
Result<std::vector<std::filesystem::path>> archive_files(std::span<const std::string> places);

// The pages that the crawls in these folders found relevant, best first; of a page that several
// found, the best. Each crawl's relevance is that of its own judge.
Result<std::vector<EarlierFind>> earlier_finds(std::span<const std::string> folders, size_t most);

// What the crawls in these folders learned about sites and directories.
Result<EarlierLists> earlier_lists(std::span<const std::string> folders);

}  // namespace dowser
