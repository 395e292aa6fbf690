#include "run/learn_again.h"

#include "run/archived_pages.h"

namespace dowser {

Result<size_t> learn_again(CrawlFolder& folder, CrawlPlugins& plugins, const CrawlConfig& config,
                           size_t fetched) {
  Status marked;
  const auto options_of = [&](VisitId id) {
    ParseOptions options;
    options.fields = plugins.fields;
    options.mark_blocks = [&, id](Page& page) {
      if (Status s = folder.saved().mark_template(id, page); !s) marked = s;
    };
    return options;
  };
  Result<ArchivedVisits> visits = ArchivedVisits::open(folder.path(), config.sitemaps, options_of);
  if (!visits) return visits.error();
  size_t unreadable = 0;
  const auto read = [&](VisitId id, Candidate candidate, const ArchiveEnd& begin,
                        const ArchiveEnd& end) {
    Result<Visit> visit = visits->read(id, std::move(candidate), begin, end);
    unreadable += !visit;
    return visit;
  };
  const uint32_t count = folder.recovery().mark.visits;
  if (Status s = folder.saved().restore(*plugins.strategy, *plugins.judge, *plugins.statistics,
                                        count, read);
      !s) {
    return s.error();
  }
  plugins.hints->forget_words();
  plugins.advice->restore(count, fetched, [&](VisitId id) {
    Result<Visit> visit = visits->read(id);
    if (visit) plugins.hints->learn(*visit);
    return visit;
  });
  if (!visits->status().ok()) return visits->status().error();
  if (!marked.ok()) return marked.error();
  return unreadable;
}

}  // namespace dowser
