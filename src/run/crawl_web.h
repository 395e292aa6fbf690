#pragma once

#include <memory>
#include <optional>

#include "engine/workers.h"
#include "fetch/archive_web.h"
#include "fetch/live_web.h"
#include "run/config.h"

namespace dowser {

// The web that a crawl goes over, its time, and who works on it.
class CrawlWeb {
 public:
  // On an archived web time is pretended; it starts at `now`, or where the archive does. On the
  // live web it starts at the wall clock's time, but not before `now`.
  static Result<CrawlWeb> open(const CrawlConfig& config, std::optional<Time> now = {});

  Clock& clock() { return *clock_; }
  bool holds(const Url& url) const { return !archive_ || archive_->may_hold(url); }

  // What an archived web answers.
  Response get(const Url& url) const { return archive_->get(url); }
  // A sentence about damage that was passed over in an archived web, or "".
  std::string damage() const;

  // The answers for pages that a person named: addresses, or files.
  Result<std::vector<Response>> pages(const std::vector<std::string>& places) const;

  std::unique_ptr<Workers> workers(const Judge& judge, const WorkOptions& options);

 private:
  std::unique_ptr<ArchiveWeb> archive_;
  std::unique_ptr<Web> previous_;
  std::optional<LiveWebOptions> live_;
  std::unique_ptr<Clock> clock_;
};

// "Dowser/0.1 (+mailto:me@example.org)"
std::string full_user_agent(const CrawlConfig& config);

}  // namespace dowser
