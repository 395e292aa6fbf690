#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/counters.h"
#include "engine/crawl_hints.h"
#include "engine/guards.h"
#include "engine/judge_in_use.h"
#include "engine/saved_flight.h"
#include "engine/stop_advice.h"
#include "engine/workers.h"
#include "frontier/frontier.h"
#include "store/catalogue.h"
#include "strategy/strategy.h"

// The whole flow on one screen: seeds → frontier → fetch → parse → judge → Visit → keep, and back
// through strategy to the frontier. See the steps in crawl.cc.

namespace dowser {

// A visit and what became of its links.
struct Outcome {
  Visit visit;
  std::vector<FoundLink> links;  // they point into the visit, which may be moved
  TextSketch sketch;
  std::vector<ArchiveForm> forms;     // as in KeptVisit
  std::optional<SavedFlight> flight;  // what is under way, where it is to be saved
};

// The stages that a crawl joins; it owns none of them.
struct CrawlParts {
  Clock& clock;
  Frontier& frontier;
  Strategy& strategy;
  Workers& workers;  // fetch, parse and judge
  // False where the web is known not to hold an address.
  std::function<bool(const Url&)> web_holds;
  // Keeps a visit for good, and all that it changed: frontier, strategy, guards, counters. An error
  // ends the crawl.
  std::function<Status(Outcome, const CrawlCounters&)> keep;
  Guards* guards = nullptr;            // none: everything is followed
  HostTemplates* templates = nullptr;  // those that learn where there are no guards
  JudgeInUse* judge = nullptr;         // where it learns
  StopAdvice* advice = nullptr;
  CrawlHints* hints = nullptr;
  // The answers of an archived web once more, in no time: for a crawl that is resumed.
  std::function<Response(const Url&)> get_again;
};

struct CrawlLimits {
  size_t max_pages = 1000;
  Duration max_time{0};      // by the crawl's clock; 0 = no limit
  uint32_t max_depth = 0;    // 0 = no limit
  bool drop_missing = true;  // links that the web is known not to hold are not followed
  size_t connections = 1;    // pages on their way at a time
  bool live = false;  // real hosts: Crawl-delay counts, and what may be better later is tried again
  StopRule enough;    // by the advice
  // Asked often: yes = send out nothing more.
  std::function<bool()> should_stop = [] { return false; };
  std::string agent = "dowser";  // as robots.txt may name us
  bool sitemaps = false;         // those that robots.txt names are fetched
  bool exact_resume = false;     // what is under way is saved with each visit; not on the live web
};

// Where an earlier crawl had come to.
struct CrawlStart {
  uint32_t visits = 0;
  CrawlCounters counters;
  std::optional<SavedFlight> flight;  // and what was under way, where that was saved
};

// Called after each visit. False: stop.
using CrawlObserver = std::function<bool(const Visit&, const CrawlCounters&)>;

// Crawls until a limit, the observer or an empty frontier ends it.
Result<CrawlCounters> crawl(const CrawlParts& parts, const CrawlLimits& limits,
                            std::span<const Url> seeds, const CrawlObserver& observer,
                            const CrawlStart& start = {});

}  // namespace dowser
