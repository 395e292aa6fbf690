#pragma once

#include "base/channel.h"
#include "engine/workers.h"
#include "fetch/live_web.h"

namespace dowser {

// The live web: fetch, parse and judge run on the fetch threads, a host always on the same one.
class LiveWorkers final : public Workers {
 public:
  LiveWorkers(LiveWebOptions web, const Judge& judge, WorkOptions options);

  void start(const Work& work) override;
  std::optional<Finished> next(std::optional<Time> until) override;

 private:
  const Judge& judge_;
  const WorkOptions options_;
  Channel<Finished> finished_;
  LiveWeb web_;  // last: its threads use what stands above
};

}  // namespace dowser
