#include "eval/course.h"

#include <algorithm>

#include "engine/crawl.h"
#include "strategy/has_agents.h"

namespace dowser {

Result<Course> run_course(const HeldWeb& web, std::span<const HeldWeb::Node> seeds,
                          Strategy& strategy, JudgeInUse& judge, HeldJudgements* judgements,
                          const CourseOptions& options) {
  SimulatedClock clock(Time{0});
  FrontierOptions frontier_options;
  frontier_options.delay = options.delay;
  // As in a live crawl, a host with a delay gets one request at a time. Otherwise all connections
  // would be used for what looked best before the first answer.
  if (options.delay > Duration(0)) frontier_options.max_connections = 1;
  Frontier frontier(frontier_options);
  HostTemplates templates;
  const bool marks = options.templates && !judgements;
  HeldWorkers workers(web, clock, options.latency, judge, judgements, marks ? &templates : nullptr,
                      options.fields);
  CrawlLimits limits;
  limits.max_pages = options.budget;
  limits.drop_missing = options.drop_missing;
  limits.connections = options.connections;
  StopAdvice advice(judge);
  const CrawlParts parts{
      clock,
      frontier,
      strategy,
      workers,
      [&](const Url& url) { return web.holds(url); },
      [](KeptVisit, const CrawlCounters&, const SavedFlight*) { return Status{}; },
      nullptr,
      marks ? &templates : nullptr,
      judgements ? nullptr : &judge,
      &advice};
  std::vector<Url> addresses;
  for (const HeldWeb::Node seed : seeds) addresses.push_back(web.answer(seed).url);
  Course course;
  CrawlEvents events;
  events.on_visit([&](const Visit& visit, const CrawlCounters& counters) {
    if (!visit.response.was_asked_for()) return;  // costs nothing, as in a real crawl
    course.pages.push_back(visit.response.ok() ? web.node_of(visit.response.url) : HeldWeb::kNone);
    course.said.push_back({visit.judgement.relevance.value, visit.judgement.relevant});
    const size_t fetched = course.pages.size();
    for (const size_t quarter : {1, 2, 3}) {
      if (fetched != options.budget * quarter / 4) continue;
      if (const auto taken = advice.advise(frontier.waiting(), counters.relevant)) {
        course.advice.push_back({fetched, *taken});
      }
    }
    if (std::ranges::find(kReportedPages, fetched) != std::end(kReportedPages)) {
      if (const auto* agents = dynamic_cast<const HasAgents*>(&strategy)) {
        course.population.push_back({fetched, agents->agents()});
      }
    }
  });
  const Result<CrawlCounters> counters = crawl(parts, limits, addresses, events);
  if (!counters) return counters.error();
  course.elapsed = clock.now() - Time{0};
  return course;
}

}  // namespace dowser
