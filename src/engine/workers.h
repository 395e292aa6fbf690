#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "base/clock.h"
#include "fetch/web.h"
#include "guard/near_duplicates.h"
#include "judge/judge.h"
#include "model/visit.h"
#include "parse/parse_page.h"
#include "store/store.h"

// Workers fetch an address and, if it is a page, parse and judge it. Those of the live web have
// threads of their own; those of an archive use the thread of the crawl, one page after the other,
// so that a crawl repeats.

namespace dowser {

struct WorkerJob {
  uint64_t id = 0;
  Url url;
  bool is_page = true;  // otherwise robots.txt: only the answer is wanted, whatever its type
};

struct WorkerResult {
  uint64_t id = 0;
  // Nothing was sent: all connections to the IP address of the host, which is in the response, are
  // in use.
  bool no_connection = false;
  Response response;
  Page page;                           // empty if it is not a page, or a redirect
  Judgement judgement;                 // "not relevant" if there is no page
  TextSketch sketch;                   // of the page's text
  std::optional<ArchiveForm> archive;  // if it is wanted and there is an answer
};

struct WorkOptions {
  ParseOptions parse;
  bool sketches = false;  // are wanted
  bool sitemaps = false;  // and feeds are pages whose links are what they list
  bool archive = false;   // the answers are also wanted as records
};

class Workers {
 public:
  virtual ~Workers() = default;

  // Every job has one result.
  virtual void start(const WorkerJob& job) = 0;

  // The next result, in any order. Waits for it until `until` at most, by the crawl's clock, and
  // without a limit if that is nothing and some job is in flight. Returns nothing if there is none
  // by then.
  virtual std::optional<WorkerResult> next(std::optional<Time> until) = 0;
};

// Makes the result of a job from its answer.
WorkerResult make_result(const WorkerJob& job, Response response, const Judge& judge,
                         const WorkOptions& options);

// Does everything in next(), on the caller's thread: no time passes between a start and its answer,
// and a page is judged by what the judge has learned from the answers before it. So what is in
// flight when a crawl dies can be started again with the same result.
class InlineWorkers final : public Workers {
 public:
  InlineWorkers(Web& web, Clock& clock, const Judge& judge, WorkOptions options)
      : web_(web), clock_(clock), judge_(judge), options_(options) {}

  void start(const WorkerJob& job) override { started_.push_back(job); }
  std::optional<WorkerResult> next(std::optional<Time> until) override;

 private:
  Web& web_;
  Clock& clock_;
  const Judge& judge_;
  const WorkOptions options_;
  std::deque<WorkerJob> started_;
};

}  // namespace dowser
