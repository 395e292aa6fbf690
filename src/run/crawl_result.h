#pragma once

#include "run/crawl_plugins.h"
#include "run/final_judgement.h"
#include "run/run.h"

namespace dowser {

// What a crawl leaves for people when it ends: writes report.html, and reads the harvest curve from
// the catalogue. The counters of relevant pages are those of the final verdicts. `seconds`: how
// long it ran.
Result<RunResult> crawl_result(const CrawlConfig& config, const CrawlPlugins& plugins,
                               const CrawlCounters& counters, const FinalJudgement& judged,
                               double seconds);

}  // namespace dowser
