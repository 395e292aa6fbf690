#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "base/channel.h"
#include "engine/workers.h"
#include "fetch/live_web.h"

namespace dowser {

// The live web: fetch, parse and judge run on the fetch threads, a host always on the same one.
class LiveWorkers final : public Workers {
 public:
  // `previous` is the archive of an earlier crawl, or null: the server is asked whether the pages
  // in it have changed. `clock` is the crawl's, by which next() waits.
  LiveWorkers(LiveWebOptions web, const Clock& clock, const Judge& judge, WorkOptions options,
              std::unique_ptr<Web> previous);

  void start(const WorkerJob& job) override;
  std::optional<WorkerResult> next(std::optional<Time> until) override;

 private:
  LiveWebOptions with_refusals(LiveWebOptions options);
  // A job in flight, and the answer of the earlier crawl if the request is conditional.
  struct Started {
    WorkerJob job;
    std::optional<Response> earlier;
  };
  Started take_started(uint64_t id);
  std::optional<Response> earlier_answer(const Url& url) const;
  static Response with_earlier(Response response, Response earlier);

  const Clock& clock_;
  const Judge& judge_;
  const WorkOptions options_;
  const std::unique_ptr<Web> previous_;
  std::mutex mutex_;
  absl::flat_hash_map<uint64_t, Started> started_;  // by id; guarded by mutex_

  Channel<WorkerResult> results_;
  LiveWeb web_;  // last: its threads use what stands above
};

}  // namespace dowser
