#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "base/byte_budget.h"
#include "base/clock.h"
#include "document/conversion.h"
#include "document/kind.h"
#include "fetch/live_web.h"
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

class Converter;

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
  // The answer has come, and is a document that is being converted: another result follows. This
  // one holds the response without its body.
  bool is_converting = false;
  Response response;
  Page page;                           // empty if it is not a page, or a redirect
  Judgement judgement;                 // "not relevant" if there is no page
  TextSketch sketch;                   // of the page's text
  std::optional<Document> document;    // if documents are wanted and it is one
  std::optional<ArchiveForm> archive;  // if it is wanted and there is an answer
  ByteLease lease;                     // of the memory for documents, until the visit is stored
};

// Which documents are fetched, and how far their conversion may go.
struct DocumentWork {
  bool wanted = false;
  size_t most_bytes = 64 << 20;
  size_t least_pdf_bytes = 8 << 10;  // Chen 2008, 4.5: a smaller PDF is not a paper
  ConversionLimits limits;
  KindRules kinds = usual_kind_rules();
};

struct WorkOptions {
  ParseOptions parse;
  bool sketches = false;  // are wanted
  bool sitemaps = false;  // and feeds are pages whose links are what they list
  bool archive = false;   // the answers are also wanted as records
  DocumentWork documents;
};

// How the body of an answer is read if documents are wanted: PDF and the like have limits of their
// own, and one whose length is unwanted is not read at all. `usual` is asked for all else.
BodyPlan plan_document(const Url& url, const Response& head, const DocumentWork& work,
                       const std::function<BodyPlan(const Url&, const Response&)>& usual);

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

// Whether the result of a job takes a converter.
bool needs_conversion(const WorkerJob& job, const Response& response, const WorkOptions& options);
// Makes the result of a job from its answer. `converter` may be null.
WorkerResult make_result(const WorkerJob& job, Response response, const Judge& judge,
                         const WorkOptions& options, Converter* converter = nullptr);

// Does everything in next(), on the caller's thread: no time passes between a start and its answer,
// and a page is judged by what the judge has learned from the answers before it. So what is in
// flight when a crawl dies can be started again with the same result.
class InlineWorkers final : public Workers {
 public:
  // `converter` is for documents; null: those that need one fail.
  InlineWorkers(Web& web, Clock& clock, const Judge& judge, WorkOptions options,
                Converter* converter = nullptr)
      : web_(web), clock_(clock), judge_(judge), options_(options), converter_(converter) {}

  void start(const WorkerJob& job) override { started_.push_back(job); }
  std::optional<WorkerResult> next(std::optional<Time> until) override;

 private:
  Web& web_;
  Clock& clock_;
  const Judge& judge_;
  const WorkOptions options_;
  Converter* const converter_;
  std::deque<WorkerJob> started_;
};

}  // namespace dowser
