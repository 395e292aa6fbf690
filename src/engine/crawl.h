#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/workers.h"
#include "frontier/frontier.h"
#include "store/catalogue.h"
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
  // False where the web is known not to hold an address.
  std::function<bool(const Url&)> web_holds;
  // Keeps a visit for good; an error ends the crawl.
  std::function<Status(const Visit&, std::span<const FoundLink>)> keep;
};

struct CrawlLimits {
  size_t max_pages = 1000;
  Duration max_time{0};      // by the crawl's clock; 0 = no limit
  uint32_t max_depth = 0;    // 0 = no limit
  bool drop_missing = true;  // links that the web is known not to hold are not followed
  size_t connections = 1;    // pages on their way at a time
  bool live = false;  // real hosts: Crawl-delay counts, and what may be better later is tried again
  // Asked often: yes = send out nothing more.
  std::function<bool()> should_stop = [] { return false; };
  std::string agent = "dowser";  // as robots.txt may name us
};

struct CrawlCounters {
  size_t fetched = 0;  // pages asked for; a redirect and what it leads to are one
  size_t relevant = 0;
  size_t failed = 0;      // no answer, or one that is not 2xx
  size_t disallowed = 0;  // by robots.txt; not asked for, so not among the fetched
  size_t redirected = 0;
  size_t retried = 0;  // requests that failed and were put back
  size_t links = 0;    // found on pages
  size_t missing = 0;  // of these, dropped because the web does not hold them
  size_t waiting = 0;
  size_t hosts = 0;
  uint64_t bytes = 0;

  double harvest_rate() const {
    return fetched > 0 ? static_cast<double>(relevant) / static_cast<double>(fetched) : 0;
  }
};

// Called after each visit. False: stop.
using CrawlObserver = std::function<bool(const Visit&, const CrawlCounters&)>;

// Crawls until a limit, the observer or an empty frontier ends it.
Result<CrawlCounters> crawl(const CrawlParts& parts, const CrawlLimits& limits,
                            std::span<const Url> seeds, const CrawlObserver& observer);

}  // namespace dowser
