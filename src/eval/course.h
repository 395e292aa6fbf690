#pragma once

#include <span>
#include <vector>

#include "engine/judge_in_use.h"
#include "eval/advice_check.h"
#include "eval/held_workers.h"
#include "strategy/strategy.h"

namespace dowser {

// How a crawl is run for a comparison.
struct CourseOptions {
  size_t budget = 1000;      // fetches
  bool drop_missing = true;  // ignore links that the archive lacks; otherwise each costs a fetch
  Duration delay{0};         // between two requests to a host
  Duration latency{0};       // of an answer
  size_t connections = 1;    // requests at the same time
  bool templates = false;    // of hosts are recognised, unless judgements are shared
  FieldWeights fields;       // of the terms that the judge sees
};

// Küçük (2009, figures 4.3 to 4.5) reports InfoSpiders after this many pages.
inline constexpr size_t kReportedPages[] = {50, 100, 250, 500};

// The agents of a strategy that has some, after so many fetches.
struct Population {
  size_t fetched;
  size_t agents;
};

// What a crawl fetched, in order.
struct Course {
  std::vector<HeldWeb::Node> pages;  // of each fetch; kNone if it brought no page
  Duration elapsed{0};               // in simulated time
  std::vector<AdviceTaken> advice;   // after a quarter, half and three quarters of the budget
  // The verdict on each page when it was fetched.
  struct Said {
    double relevance = 0;
    bool relevant = false;
  };
  std::vector<Said> said;
  std::vector<Population> population;  // at kReportedPages; empty if there are no agents
};

// Runs the real engine over a held web. Without `judgements` the judge may learn.
Result<Course> run_course(const HeldWeb& web, std::span<const HeldWeb::Node> seeds,
                          Strategy& strategy, JudgeInUse& judge, HeldJudgements* judgements,
                          const CourseOptions& options);

}  // namespace dowser
