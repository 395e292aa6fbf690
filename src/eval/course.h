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
  bool drop_missing = true;  // links that the archive does not hold; otherwise they cost a fetch
  Duration delay{0};         // between two requests to a host
  Duration latency{0};       // until an answer is there
  size_t connections = 1;    // pages on their way at a time
};

// The course that a crawl took.
struct Course {
  std::vector<HeldWeb::Node> pages;  // of each fetch; kNone where no page came back
  Duration elapsed{0};               // of pretended time
  std::vector<AdviceTaken> advice;   // at a quarter, half and three quarters of the budget
};

// The real engine over a held web. Without `judgements` the judge learns, where it can.
Result<Course> run_course(const HeldWeb& web, std::span<const HeldWeb::Node> seeds,
                          Strategy& strategy, JudgeInUse& judge, HeldJudgements* judgements,
                          const CourseOptions& options);

}  // namespace dowser
