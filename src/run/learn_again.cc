#include "run/learn_again.h"

#include "run/archived_pages.h"

namespace dowser {

Result<size_t> learn_again(CrawlFolder& folder, CrawlPlugins& plugins, const CrawlConfig& config,
                           size_t fetched) {
  Result<ArchivedVisits> visits = ArchivedVisits::open(folder.path(), config.sitemaps);
  if (!visits) return visits.error();
  size_t unreadable = 0;
  const auto read = [&](VisitId id, Candidate candidate, const ArchiveEnd& begin,
                        const ArchiveEnd& end) {
    Result<Visit> visit = visits->read(id, std::move(candidate), begin, end);
    unreadable += !visit;
    return visit;
  };
  const uint32_t count = folder.recovery().mark.visits;
  if (Status s = folder.saved().restore(*plugins.strategy, *plugins.judge, count, read); !s) {
    return s.error();
  }
  plugins.advice->restore(count, fetched, [&](VisitId id) { return visits->read(id); });
  if (!visits->status().ok()) return visits->status().error();
  return unreadable;
}

}  // namespace dowser
