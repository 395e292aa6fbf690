#include "run/recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "archive/warc_writer.h"
#include "store/catalogue_reader.h"

namespace dowser {
namespace {

using std::filesystem::path;

// The size of a file, nothing if there is none. Other failures are errors: a file that cannot be
// looked at now is not a file that is gone.
Result<std::optional<uint64_t>> size_of(const path& file) {
  std::error_code failed;
  const uint64_t size = std::filesystem::file_size(file, failed);
  if (!failed) return std::optional(size);
  if (failed == std::errc::no_such_file_or_directory) return std::optional<uint64_t>();
  return Error{fmt::format("cannot access {}: {}", file.string(), failed.message())};
}

Result<bool> has_archive_files(const path& folder) {
  std::error_code failed;
  auto it = std::filesystem::directory_iterator(folder / "archive", failed);
  for (; !failed && it != std::filesystem::directory_iterator(); it.increment(failed)) {
    if (archive_number(it->path().filename().string())) return true;
  }
  if (!failed || failed == std::errc::no_such_file_or_directory) return false;
  return Error{fmt::format("cannot read {}: {}", (folder / "archive").string(), failed.message())};
}

// Compares the parts of a crawl's folder.
class Comparison {
 public:
  Comparison(const path& folder, const SavedCrawl& saved, bool accept_loss)
      : folder_(folder), saved_(saved), accept_loss_(accept_loss) {}

  Result<RecoveryPlan> run() {
    const Result<MaybeRefusal> unreadable = read_catalogue();
    if (!unreadable) return unreadable.error();
    if (*unreadable) return RecoveryPlan(**unreadable);
    if (Status s = look_at_files(); !s) return s.error();
    Result<StoreMark> mark = newest_kept();
    if (!mark) return mark.error();
    if (!accept_loss_) {
      if (const MaybeRefusal refusal = compare(*mark)) return RecoveryPlan(*refusal);
    }
    return RecoveryPlan(Recovery{*mark,
                                 catalogue_.visits - std::min(catalogue_.visits, mark->visits),
                                 saved_.visits() - mark->visits});
  }

 private:
  using MaybeRefusal = std::optional<Refusal>;

  MaybeRefusal compare(const StoreMark& mark) const {
    if (MaybeRefusal refusal = check_state()) return refusal;
    if (MaybeRefusal refusal = check_catalogue()) return refusal;
    if (MaybeRefusal refusal = check_archive(mark)) return refusal;
    return check_amount(mark);
  }

  Refusal refusal(const std::string& what, uint32_t pages) const {
    return {fmt::format("{}; {} page{} affected, and nothing was changed", what, pages,
                        pages == 1 ? "" : "s"),
            fmt::format("find out what is wrong with  dowser check {}  or continue without them "
                        "with  dowser resume {} --accept-loss",
                        folder_.string(), folder_.string())};
  }

  Result<MaybeRefusal> read_catalogue() {
    const path file = folder_ / "catalogue.sqlite";
    const auto size = size_of(file);
    if (!size) return size.error();
    Error problem{fmt::format("{} is missing", file.string())};
    if (*size) {
      Result<CatalogueSummary> summary = Catalogue::summary(file);
      if (summary && summary->has_tables) {
        catalogue_ = *summary;
        return MaybeRefusal();
      }
      problem =
          summary ? Error{fmt::format("{} has lost its tables", file.string())}
                  : Error{fmt::format("the catalogue cannot be read: {}", summary.error().message)};
    }
    return MaybeRefusal(Refusal{
        fmt::format("{}; {} pages affected, and nothing was changed", problem.message,
                    saved_.visits()),
        fmt::format(
            "put the catalogue back, wait until no other program has it locked, or rebuild it from "
            "the archive with  dowser check {} --repair  (--accept-loss does not help here)",
            folder_.string())});
  }

  Status look_at_files() {
    for (const SavedCrawl::ArchivePart& part : saved_.archive_parts()) {
      const auto size = size_of(folder_ / "archive" / part.end.file);
      if (!size) return size.error();
      sizes_[part.end.file] = *size;
    }
    return {};
  }

  bool reaches(const ArchiveEnd& end) const {
    if (end.file.empty()) return true;
    const auto it = sizes_.find(end.file);
    return it != sizes_.end() && it->second && *it->second >= end.offset;
  }

  Result<StoreMark> newest_kept() const {
    for (uint32_t n = std::min(saved_.visits(), catalogue_.visits); n > 0; --n) {
      Result<StoreMark> mark = saved_.mark_of(n);
      if (!mark || reaches(mark->archive)) return mark;
    }
    return StoreMark{};
  }

  MaybeRefusal check_state() const {
    const uint32_t visits = saved_.visits();
    const std::optional<SyncMark>& known = catalogue_.synced;
    const bool is_old = known && saved_.synced().value_or(SyncMark{}).syncs < known->syncs;
    if (visits < catalogue_.visits && (is_old || (known && visits < known->visits))) {
      return refusal(
          fmt::format(
              "{} has {} pages and the catalogue {}: the state is damaged, or older than the rest",
              (folder_ / "state").string(), visits, catalogue_.visits),
          catalogue_.visits - visits);
    }
    if (is_old) {
      return refusal(fmt::format("{} is older than the catalogue: it is damaged, or has been "
                                 "replaced",
                                 (folder_ / "state").string()),
                     visits);
    }
    if (visits < catalogue_.visits && State::log_is_damaged(folder_ / "state")) {
      return refusal(fmt::format("the log of {} is damaged after page {}, but the catalogue has {}",
                                 (folder_ / "state").string(), visits, catalogue_.visits),
                     catalogue_.visits - visits);
    }
    return {};
  }

  MaybeRefusal check_catalogue() const {
    if (catalogue_.missing > 0) {
      return refusal(fmt::format("{} has lost rows", (folder_ / "catalogue.sqlite").string()),
                     catalogue_.missing);
    }
    const SyncMark known = saved_.synced().value_or(SyncMark{});
    if (catalogue_.visits >= known.visits) return {};
    return refusal(
        fmt::format("{} holds {} pages and should hold at least {}: it is damaged, or older than "
                    "the rest",
                    (folder_ / "catalogue.sqlite").string(), catalogue_.visits, known.visits),
        saved_.visits() - catalogue_.visits);
  }

  // A file that is missing is never explained by a crash: its folder is synced when it is made.
  MaybeRefusal check_archive(const StoreMark& mark) const {
    const auto& parts = saved_.archive_parts();
    for (size_t i = 0; i < parts.size(); ++i) {
      const std::optional<uint64_t> size = sizes_.at(parts[i].end.file);
      const std::string file = (folder_ / "archive" / parts[i].end.file).string();
      if (!size) {
        return refusal(fmt::format("{} is missing (is the folder mounted?)", file),
                       parts[i].visits);
      }
      // The last one may have lost what was not synced.
      if (i + 1 < parts.size() && *size < parts[i].end.offset) {
        return refusal(fmt::format("{} is cut short: it has {} bytes and should have {}", file,
                                   *size, parts[i].end.offset),
                       parts[i].visits);
      }
    }
    const SyncMark known = saved_.synced().value_or(SyncMark{});
    if (mark.visits >= std::min(known.visits, catalogue_.visits)) return {};
    return refusal(fmt::format("{} is cut short: it has {} bytes and should have {}",
                               (folder_ / "archive" / parts.back().end.file).string(),
                               *sizes_.at(parts.back().end.file), parts.back().end.offset),
                   saved_.visits() - mark.visits);
  }

  MaybeRefusal check_amount(const StoreMark& mark) const {
    if (saved_.synced() && catalogue_.synced) return {};
    const uint32_t most = std::max(saved_.visits(), catalogue_.visits) - mark.visits;
    if (most <= kMostWithoutMark) return {};
    return refusal(
        fmt::format("state, catalogue and archive of {} agree on only {} pages, although the state "
                    "has {} and the catalogue {}: a crash can explain at most {} pages",
                    folder_.string(), mark.visits, saved_.visits(), catalogue_.visits,
                    kMostWithoutMark),
        most);
  }

  const path& folder_;
  const SavedCrawl& saved_;
  const bool accept_loss_;
  CatalogueSummary catalogue_;
  std::map<std::string, std::optional<uint64_t>> sizes_;  // of the archive files
};

}  // namespace

Result<bool> never_began(const path& folder, std::unique_ptr<SavedCrawl>& opened) {
  const auto current = size_of(folder / "state" / "CURRENT");
  if (!current) return current.error();
  std::optional<Error> unreadable;
  if (*current) {
    if (State::is_in_use(folder / "state")) {
      return Error{fmt::format("{} is in use by another dowser process", folder.string())};
    }
    Result<std::unique_ptr<SavedCrawl>> saved = SavedCrawl::open_read_only(folder);
    if (saved) {
      opened = std::move(*saved);
      if (opened->has_begun()) return false;
    } else {
      unreadable = saved.error();
    }
  }
  const Result<bool> archived = has_archive_files(folder);
  if (!archived) return archived.error();
  bool catalogued = false;
  const auto size = size_of(folder / "catalogue.sqlite");
  if (!size) return size.error();
  if (*size) {
    const Result<CatalogueSummary> summary = Catalogue::summary(folder / "catalogue.sqlite");
    if (!summary) return unreadable ? *unreadable : summary.error();
    catalogued = summary->visits > 0 || summary->synced;
  }
  return !*archived && !catalogued;
}

Refusal state_is_lost(const path& folder, const Error& error) {
  std::error_code failed;
  const bool is_there = std::filesystem::exists(folder / "state" / "CURRENT", failed);
  return {fmt::format("{}; the pages of the crawl are still in the archive and the catalogue, and "
                      "nothing was changed",
                      is_there ? error.message
                               : fmt::format("{} is missing or has lost its files",
                                             (folder / "state").string())),
          fmt::format("put the state back (dowser check {} shows what can still be used), or start "
                      "a new crawl with  --previous {}",
                      folder.string(), folder.string())};
}

Result<RecoveryPlan> plan_recovery(const path& folder, const SavedCrawl& saved, bool accept_loss) {
  return Comparison(folder, saved, accept_loss).run();
}

Result<CrawlCounters> recount(const path& catalogue, CrawlCounters saved, uint32_t visits) {
  Result<CatalogueReader> reader = CatalogueReader::open(catalogue);
  if (!reader) return reader.error();
  const Result<CatalogueCounts> counts = reader->counts(visits);
  if (!counts) return counts.error();
  const Result<size_t> relevant = reader->relevant_at_fetch(visits);
  if (!relevant) return relevant.error();
  CrawlCounters c = std::move(saved);
  c.fetched = counts->fetched;
  c.disallowed = counts->disallowed;
  c.failed = counts->failed;
  c.redirected = counts->redirected;
  c.relevant = *relevant;
  c.near_duplicates = counts->near_duplicates;
  c.soft_404 = counts->soft_404;
  c.truncated = counts->truncated;
  c.bytes = counts->bytes;
  c.links = counts->links;
  const auto copy = [](const std::map<std::string, size_t>& from, CrawlCounters::ByName& to) {
    to.clear();
    for (const auto& [name, count] : from) to[name] = count;
  };
  copy(counts->failures, c.failures);
  copy(counts->statuses, c.statuses);
  copy(counts->refused, c.refused);
  c.unchanged = std::min(c.unchanged, c.fetched);
  const Result<DocumentCounts> documents = reader->document_counts(visits);
  if (!documents) return documents.error();
  c.documents = documents->documents;
  c.documents_relevant = documents->relevant;
  c.documents_accepted = documents->accepted;
  c.documents_failed = documents->failed;
  c.document_copies = documents->copies;
  c.document_formats = documents->formats;
  c.document_bytes = documents->bytes;
  copy(documents->kinds, c.document_kinds);
  copy(documents->failures, c.document_failures);
  return c;
}

}  // namespace dowser
