#include "run/learn_again.h"

#include <fmt/format.h>

#include "engine/plugins.h"
#include "run/archived_pages.h"

namespace dowser {

Status learn_again(CrawlFolder& folder, CrawlPlugins& plugins, const CrawlConfig& config,
                   size_t fetched, const std::function<void(const std::string&)>& notice) {
  const Result<FieldWeights> fields = fields_of(config.judge);
  if (!fields) return fields.error();
  Status marked;
  Result<ArchivedVisits> visits =
      ArchivedVisits::open(folder.path(), config.sitemaps, [&](VisitId id) {
        ParseOptions options;
        options.fields = *fields;
        options.mark_blocks = [&, id](Page& page) {
          if (Status s = folder.saved().mark_template(id, page); !s) marked = s;
        };
        return options;
      });
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
    return s;
  }
  plugins.hints->forget_words();
  plugins.advice->restore(count, fetched, [&](VisitId id) {
    Result<Visit> visit = visits->read(id);
    if (visit) plugins.hints->learn(*visit);
    return visit;
  });
  if (!visits->status().ok()) return visits->status();
  if (!marked.ok()) return marked;
  if (unreadable > 0) {
    notice(fmt::format(
        "{} pages of the archive cannot be read, so nothing was learned from them again (see  "
        "dowser check {})",
        unreadable, folder.path().string()));
  }
  return {};
}

}  // namespace dowser
