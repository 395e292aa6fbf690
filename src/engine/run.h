#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/config.h"
#include "engine/crawl.h"

// A crawl from its configuration to its folder: opens the web, reads seeds and topic, makes the
// plug-ins, crawls, and leaves archive, catalogue and report.

namespace dowser {

struct RunResult {
  CrawlCounters counters;
  // (fetched, relevant) at 10, 20, 50, 100, 200 … fetches and at the end.
  std::vector<std::pair<size_t, size_t>> curve;
  double seconds = 0;  // of a real clock
  std::string report;  // path of report.html
};

// True for a wrong setting (a name, a spec, a pattern), as against a file or folder that cannot be
// used.
Status check_settings(const CrawlConfig& config);

// `should_stop` is asked often; yes: what is on its way still arrives, and everything is written.
Result<RunResult> run_crawl(const CrawlConfig& config, const CrawlObserver& observer,
                            const std::function<bool()>& should_stop);

// A page for a topic's example or for `dowser judge`: an address in the archives, or an HTML file.
Result<Page> load_page(const std::string& place, const std::vector<std::string>& archives);

// Topic of words and example pages.
Result<Topic> load_topic(const std::string& words, const std::vector<std::string>& examples,
                         const std::vector<std::string>& archives);

}  // namespace dowser
