#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "engine/crawl.h"
#include "run/config.h"
#include "store/sense_tables.h"

// A crawl from its configuration to its folder: opens the web, reads seeds and topic, makes the
// plug-ins, crawls, and leaves archive, catalogue and report.

namespace dowser {

struct RunResult {
  CrawlCounters counters;
  // (fetched, relevant) at 10, 20, 50, 100, 200 … fetches and at the end.
  std::vector<std::pair<size_t, size_t>> curve;
  double seconds = 0;                // of a real clock
  std::string report;                // path of report.html
  size_t changed = 0;                // verdicts that the final judgement changed
  size_t doubtful = 0;               // pages that it does not call relevant, and that may be
  std::vector<SenseOfPages> senses;  // of the relevant pages; empty if they have one meaning
};

// Finds wrong settings (a name, a spec, a pattern), but not files or folders that cannot be used.
Status check_settings(const CrawlConfig& config);

// `events` receives what happens, including damage that was skipped. `should_stop` is called often;
// if it returns true, the crawl waits for what is in flight and writes everything.
Result<RunResult> run_crawl(
    const CrawlConfig& config, const CrawlEvents& events = {},
    const std::function<bool()>& should_stop = [] { return false; });

// The configuration of a crawl that was begun in `folder`.
Result<CrawlConfig> config_of(const std::filesystem::path& folder);

// Resumes it where it stopped or was killed. `config` is config_of(config.out), perhaps with other
// limits. After an error either every file is unchanged, or the crawl can still be resumed.
// `accept_loss`: go back to the newest visit that state, catalogue and archive hold, even where a
// crash does not explain why one of them ends earlier than the others.
Result<RunResult> resume_crawl(
    const CrawlConfig& config, const CrawlEvents& events = {},
    const std::function<bool()>& should_stop = [] { return false; }, bool accept_loss = false);

// Judges all pages of a crawl again, from what its archive holds; nothing is fetched. `config` is
// config_of(config.out), perhaps with another topic, other marks, another judge or threshold, which
// the crawl keeps. `model` is the text of a model that replaces that of the crawl; "": none does.
// Running it again changes nothing. If `watch` stops it, the catalogue stays as it was.
Result<RunResult> rejudge_crawl(const CrawlConfig& config, const std::string& model = "",
                                const Watch& watch = keep_going);

// Judges the pages of a crawl with a rebuilt catalogue again, if they had been judged again before.
// Only the catalogue is changed.
Status restore_verdicts(const std::filesystem::path& folder);

// What a crawl has learned so far, the strongest of each kind. The crawl must not be running.
// Changes nothing.
struct CrawlLessons {
  std::string strategy, judge;
  uint32_t visits = 0;                   // that it was learned from
  std::vector<Judgement::Reason> words;  // that point to the topic
  std::vector<Lesson> lessons;           // of the strategy
};
Result<CrawlLessons> lessons_of(const CrawlConfig& config, size_t most);

// The relevance from which on pages of the crawl in `folder` are relevant: that of the final
// judgement, or before it that of the crawl's judge. Nothing while the crawl runs and has not been
// judged yet.
Result<std::optional<double>> threshold_of(const std::filesystem::path& folder);

}  // namespace dowser
