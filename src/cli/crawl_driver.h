#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "run/run.h"

// What `dowser crawl` and `dowser resume` share: signals, progress, metrics and the summary.

namespace dowser {

using RunIt = std::function<Result<RunResult>(const CrawlEvents& events,
                                              const std::function<bool()>& should_stop)>;

// Runs a crawl, shows its progress and prints a summary. Returns the exit code.
int drive_crawl(std::string_view command, const CrawlConfig& config, bool json, const RunIt& run);

}  // namespace dowser
