#pragma once

#include <filesystem>

#include "run/config.h"

namespace dowser {

// The settings to repeat the crawl in a folder: its own, with the pages that it found as seeds
// before its old ones, so that they are asked for first, and itself as --previous, so that a server
// sends only what has changed. Its copy of the model is used. `out` is empty.
Result<CrawlConfig> config_to_crawl_again(const std::filesystem::path& folder);

}  // namespace dowser
