#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/channel.h"
#include "document/converter_pool.h"
#include "engine/workers.h"
#include "fetch/live_web.h"

namespace dowser {

// The live web. A host is always asked by the same fetch thread; what it answers is parsed and
// judged by whichever thread is free, since some hosts bring far more pages than others. Documents
// are converted, parsed and judged on the threads of the converters.
class LiveWorkers final : public Workers {
 public:
  // `previous` is the archive of an earlier crawl, or null: the server is asked whether the pages
  // in it have changed. `clock` is the crawl's, by which next() waits.
  LiveWorkers(LiveWebOptions web, const Clock& clock, const Judge& judge, WorkOptions options,
              std::unique_ptr<Web> previous,
              std::vector<std::unique_ptr<Converter>> converters = {});
  ~LiveWorkers() override;

  void start(const WorkerJob& job) override;
  std::optional<WorkerResult> next(std::optional<Time> until) override;

 private:
  LiveWebOptions completed(LiveWebOptions options);
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

  struct Answer {
    WorkerJob job;
    Response response;
    ByteLease lease;
  };
  void take_answer(uint64_t id, Response response, ByteLease lease);
  void work();  // of one of threads_
  void convert(Answer answer);

  // For the bodies of documents, from the first byte until the visit is stored.
  static constexpr size_t kBudget = 256 << 20;
  ByteBudget budget_{kBudget};
  Channel<WorkerResult> results_;
  ConverterPool pool_;  // its threads use the members above,
  Channel<Answer> answers_;
  std::vector<std::thread> threads_;  // these too,
  LiveWeb web_;                       // and those of the web all of it
};

}  // namespace dowser
