#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "engine/workers.h"
#include "eval/held_web.h"
#include "guard/host_templates.h"

namespace dowser {

// The judgements of a judge that never changes, computed once for each page. Not thread-safe.
class HeldJudgements {
 public:
  HeldJudgements(const HeldWeb& web, const Judge& judge)
      : web_(web), judge_(judge), known_(web.answers().size()) {}

  const Judgement& of(const HeldWeb::Answer& answer);

 private:
  const HeldWeb& web_;
  const Judge& judge_;
  std::vector<std::optional<Judgement>> known_;  // without reasons, which nothing reads
};

// Fetches, parses and judges for a crawl over a HeldWeb; an answer takes `latency` of simulated
// time.
class HeldWorkers final : public Workers {
 public:
  // With `judgements` a page is judged once for all crawls; without them, at each visit.
  // `templates` are those of the crawl, or null: judgements that are shared go by the page alone.
  HeldWorkers(const HeldWeb& web, SimulatedClock& clock, Duration latency, const Judge& judge,
              HeldJudgements* judgements, const HostTemplates* templates = nullptr,
              const FieldWeights& fields = {})
      : web_(web),
        clock_(clock),
        latency_(latency),
        judge_(judge),
        judgements_(judgements),
        templates_(templates),
        fields_(fields) {}

  void start(const WorkerJob& job) override;
  std::optional<WorkerResult> next(std::optional<Time> until) override;

 private:
  const HeldWeb& web_;
  SimulatedClock& clock_;
  const Duration latency_;
  const Judge& judge_;
  HeldJudgements* const judgements_;
  const HostTemplates* const templates_;
  const FieldWeights fields_;
  std::deque<WorkerResult> in_flight_;  // all take the same time, so they finish in order
};

}  // namespace dowser
