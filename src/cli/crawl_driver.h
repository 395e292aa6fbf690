#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "run/run.h"

// What `dowser crawl` and `dowser resume` share: signals, progress, metrics and the last words.

namespace dowser {

using RunIt = std::function<Result<RunResult>(
    const CrawlObserver&, const std::function<bool()>& should_stop, const RunOptions&)>;

// --max-relevant N: the crawl ends when it has found so many pages; 0: no limit.
void add_max_relevant(Arguments& arguments, int64_t* most);
CrawlObserver until_found(int64_t most, const CrawlObserver& observer);

// Runs a crawl and says how it goes and went. The exit code.
int drive_crawl(std::string_view command, const CrawlConfig& config, bool json, const RunIt& run);

}  // namespace dowser
