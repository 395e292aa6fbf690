#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "engine/workers.h"
#include "eval/held_web.h"

namespace dowser {

// What a judge that never changes says of each page, asked once. For one thread.
class HeldJudgements {
 public:
  HeldJudgements(const HeldWeb& web, const Judge& judge)
      : web_(web), judge_(judge), known_(web.answers().size()) {}

  const Judgement& of(const HeldWeb::Answer& answer);

 private:
  const HeldWeb& web_;
  const Judge& judge_;
  std::vector<std::optional<Judgement>> known_;  // without their reasons: nothing reads them
};

// Fetch, parse and judge for a crawl over a HeldWeb: an answer takes `latency` of pretended time.
class HeldWorkers final : public Workers {
 public:
  // With `judgements` the judge is asked once a page and crawl after crawl; without, at each visit.
  HeldWorkers(const HeldWeb& web, SimulatedClock& clock, Duration latency, const Judge& judge,
              HeldJudgements* judgements)
      : web_(web), clock_(clock), latency_(latency), judge_(judge), judgements_(judgements) {}

  void start(const Work& work) override;
  std::optional<Finished> next(std::optional<Time> until) override;

 private:
  const HeldWeb& web_;
  SimulatedClock& clock_;
  const Duration latency_;
  const Judge& judge_;
  HeldJudgements* const judgements_;
  std::deque<Finished> under_way_;  // all take the same time: first started, first finished
};

}  // namespace dowser
