#pragma once

#include <memory>
#include <mutex>

#include "absl/container/flat_hash_map.h"
#include "base/channel.h"
#include "engine/workers.h"
#include "fetch/live_web.h"

namespace dowser {

// The live web: fetch, parse and judge run on the fetch threads, a host always on the same one.
class LiveWorkers final : public Workers {
 public:
  // `previous`: what was fetched before, if anything; pages that it holds are asked for only where
  // they have changed. `clock` is the crawl's: next() waits by it. Answers are dated by the wall
  // clock.
  LiveWorkers(LiveWebOptions web, const Clock& clock, const Judge& judge, WorkOptions options,
              std::unique_ptr<Web> previous);

  void start(const Work& work) override;
  std::optional<Finished> next(std::optional<Time> until) override;

 private:
  LiveWebOptions with_refusals(LiveWebOptions options);
  Validators remember(uint64_t job, const Url& url);
  Response with_earlier(uint64_t job, Response response);

  const Clock& clock_;
  const Judge& judge_;
  const WorkOptions options_;
  const std::unique_ptr<Web> previous_;
  std::mutex mutex_;
  absl::flat_hash_map<uint64_t, Response> earlier_;  // answers to what is asked conditionally

  Channel<Finished> finished_;
  LiveWeb web_;  // last: its threads use what stands above
};

}  // namespace dowser
