#pragma once

#include "run/crawl_plugins.h"
#include "run/run.h"
#include "store/store.h"

namespace dowser {

// What a crawl leaves for people when it ends: writes report.html, and reads the harvest curve from
// the catalogue. `seconds`: how long it ran.
Result<RunResult> crawl_result(const CrawlConfig& config, const Store& store,
                               const CrawlPlugins& plugins, const CrawlCounters& counters,
                               double seconds);

}  // namespace dowser
