#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "document/converter.h"
#include "engine/workers.h"
#include "fetch/archive_web.h"
#include "fetch/live_web.h"
#include "run/config.h"

namespace dowser {

// The web that is crawled, its clock, and the workers that fetch from it.
class CrawlWeb {
 public:
  // A resumed crawl continues the clock that it had. On an archived web time is simulated, and
  // starts at the oldest record; on the live web it starts at the time of the wall clock.
  static Result<CrawlWeb> open(const CrawlConfig& config,
                               const std::optional<ClockMark>& clock = {});

  Clock& clock() { return *clock_; }
  bool holds(const Url& url) const { return !archive_ || archive_->may_hold(url); }

  // The answer of an archived web.
  Response get(const Url& url) const { return archive_->get(url); }
  // A sentence about damage in an archived web that was skipped, or "".
  std::string damage() const;

  // The answers for pages that a person named: addresses, or files.
  Result<std::vector<Response>> pages(const std::vector<std::string>& places) const;

  // `converters` are for documents: none, one for an archived web, or several.
  std::unique_ptr<Workers> workers(const Judge& judge, const WorkOptions& options,
                                   std::vector<std::unique_ptr<Converter>> converters);

 private:
  std::unique_ptr<ArchiveWeb> archive_;
  std::unique_ptr<Web> previous_;
  std::optional<LiveWebOptions> live_;
  std::unique_ptr<Clock> clock_;
  std::unique_ptr<Converter> converter_;  // of an archived web
};

// "Dowser/0.1 (+mailto:me@example.org)"
std::string full_user_agent(const CrawlConfig& config);

}  // namespace dowser
