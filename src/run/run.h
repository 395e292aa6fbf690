#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/crawl.h"
#include "run/config.h"

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

struct RunOptions {
  // Called with a sentence that the user should read: damage that was passed over, what recovery
  // set aside. On the thread that runs the crawl.
  std::function<void(const std::string&)> notice = [](const std::string&) {};
  // Of a resume: go back to the newest visit that state, catalogue and archive hold, also where a
  // crash does not explain why one of them ends earlier than the others.
  bool accept_loss = false;
};

// `should_stop` is asked often; yes: what is on its way still arrives, and everything is written.
Result<RunResult> run_crawl(const CrawlConfig& config, const CrawlObserver& observer,
                            const std::function<bool()>& should_stop,
                            const RunOptions& options = {});

// The configuration of a crawl that was begun in `folder`.
Result<CrawlConfig> config_of(const std::filesystem::path& folder);

// Goes on with it where it stopped or was killed. `config` is config_of(config.out), with other
// limits perhaps. After an error every file is as it was, or the crawl can go on all the same.
Result<RunResult> resume_crawl(const CrawlConfig& config, const CrawlObserver& observer,
                               const std::function<bool()>& should_stop,
                               const RunOptions& options = {});

// What a crawl has learned so far, the strongest of each kind. It may not be running. Only looks.
struct CrawlLessons {
  std::string strategy, judge;
  uint32_t visits = 0;                   // that it was learned from
  std::vector<Judgement::Reason> words;  // that point to the topic
  std::vector<Lesson> lessons;           // of the strategy
};
Result<CrawlLessons> lessons_of(const CrawlConfig& config, size_t most);

// From which relevance on the crawl in `folder` calls a page relevant. It may not be running.
Result<double> threshold_of(const std::filesystem::path& folder);

}  // namespace dowser
