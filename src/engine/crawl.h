#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/counters.h"
#include "engine/crawl_hints.h"
#include "engine/events.h"
#include "engine/guards.h"
#include "engine/judge_in_use.h"
#include "engine/saved_flight.h"
#include "engine/stop_advice.h"
#include "engine/workers.h"
#include "frontier/frontier.h"
#include "model/crawl_statistics.h"
#include "store/store.h"
#include "strategy/strategy.h"

// The whole flow on one screen: seeds → frontier → fetch → parse → judge → Visit → keep, and back
// through strategy to the frontier. See the steps in crawl.cc.

namespace dowser {

// The stages that a crawl joins; it owns none of them.
struct CrawlParts {
  Clock& clock;
  Frontier& frontier;
  Strategy& strategy;
  Workers& workers;  // fetch, parse and judge
  // False if the web is known not to hold an address.
  std::function<bool(const Url&)> web_holds;
  // Stores a visit and all that it changed: frontier, strategy, guards, counters, and with
  // exact_resume what is in flight (otherwise null). An error ends the crawl.
  using Keep = std::function<Status(KeptVisit, const CrawlCounters&, const SavedFlight* in_flight)>;
  Keep keep;
  Guards* guards = nullptr;            // null: every link is followed
  HostTemplates* templates = nullptr;  // that learn if there are no guards
  JudgeInUse* judge = nullptr;         // if it learns
  StopAdvice* advice = nullptr;
  CrawlHints* hints = nullptr;
  // The answers of an archived web again, without simulated time passing: for a resumed crawl.
  std::function<Response(const Url&)> get_again;
  CrawlStatistics* statistics = nullptr;
  // On the live web: stores what has changed since the last visit, since a host has asked to be
  // left alone, which a resume after a crash must know. An error ends the crawl.
  std::function<Status()> keep_host_waits = [] { return Status(); };
};

struct CrawlLimits {
  size_t max_pages = 1000;
  size_t max_relevant = 0;   // 0 = no limit
  Duration max_time{0};      // by the crawl's clock; 0 = no limit
  uint32_t max_depth = 0;    // 0 = no limit
  bool drop_missing = true;  // links that the web is known not to hold are not followed
  size_t connections = 1;    // fetches in flight at a time
  bool live = false;         // real hosts: Crawl-delay is obeyed, and some failures are retried
  StopRule enough;           // by the advice
  // Called often; true: nothing more is fetched.
  std::function<bool()> should_stop = [] { return false; };
  std::string agent = "dowser";  // as robots.txt may name us
  bool sitemaps = false;         // those that robots.txt names are fetched
  bool exact_resume = false;     // what is in flight is saved with each visit; not on the live web
};

// Where a resumed crawl continues.
struct CrawlStart {
  uint32_t visits = 0;
  CrawlCounters counters;
  std::optional<SavedFlight> flight;  // what was in flight, if that was saved,
  Frontier::Taken taken;              // and the links of it that the frontier had taken
};

// Crawls until a limit, should_stop() or an empty frontier ends it.
Result<CrawlCounters> crawl(const CrawlParts& parts, const CrawlLimits& limits,
                            std::span<const Url> seeds, const CrawlEvents& events = {},
                            const CrawlStart& start = {});

}  // namespace dowser
