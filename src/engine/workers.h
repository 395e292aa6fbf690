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

// Who does the work between the frontier and the thinking: gets an address and, where it is a page,
// parses and judges it. The live web does that on threads of its own; an archive at once, so that a
// crawl repeats.

namespace dowser {

struct Work {
  uint64_t id = 0;
  Url url;
  bool is_page = true;  // otherwise robots.txt: only the answer is wanted, whatever its type
};

struct Finished {
  uint64_t id = 0;
  // Nothing was sent: as many requests as may be are under way at the address of the host, which
  // is in the response.
  bool no_place = false;
  Response response;
  Page page;                           // empty where it is no page, or a redirect
  Judgement judgement;                 // "not relevant" where there is no page
  TextSketch sketch;                   // of the page's text
  std::optional<ArchiveForm> archive;  // where it is wanted and there is an answer
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

  // Begins; every start brings one Finished.
  virtual void start(const Work& work) = 0;

  // The next that is finished, in any order. Waits for it until `until` at most (by the crawl's
  // clock), and for ever where that is nothing and something is under way; nothing: the time has
  // come.
  virtual std::optional<Finished> next(std::optional<Time> until) = 0;
};

// The page that an answer is to a crawl; empty where it is a redirect.
Page page_of(const Response& response, const WorkOptions& options);

// Response to Finished: the work of one thread on one answer.
Finished finish(uint64_t id, bool is_page, Response response, const Judge& judge,
                const WorkOptions& options);

// Does everything in start(), on the caller's thread.
class InlineWorkers final : public Workers {
 public:
  InlineWorkers(Web& web, Clock& clock, const Judge& judge, WorkOptions options)
      : web_(web), clock_(clock), judge_(judge), options_(options) {}

  void start(const Work& work) override;
  std::optional<Finished> next(std::optional<Time> until) override;

 private:
  Web& web_;
  Clock& clock_;
  const Judge& judge_;
  const WorkOptions options_;
  std::deque<Finished> finished_;
};

}  // namespace dowser
