#include "run/recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "archive/warc_writer.h"
#include "store/database.h"

namespace dowser {
namespace {

using std::filesystem::path;

// The size of a file, nothing where there is none. Other failures are errors: a file that cannot be
// looked at now is not a file that is gone.
Result<std::optional<uint64_t>> size_of(const path& file) {
  std::error_code failed;
  const uint64_t size = std::filesystem::file_size(file, failed);
  if (!failed) return std::optional(size);
  if (failed == std::errc::no_such_file_or_directory) return std::optional<uint64_t>();
  return Error{fmt::format("cannot look at {}: {}", file.string(), failed.message())};
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

  Result<Recovery> run() {
    Result<CatalogueSummary> catalogue = read_catalogue();
    if (!catalogue) return catalogue.error();
    catalogue_ = *catalogue;
    if (Status s = look_at_files(); !s) return s.error();
    Result<StoreMark> mark = newest_kept();
    if (!mark) return mark.error();
    if (!accept_loss_) {
      if (Status s = check_state(); !s) return s.error();
      if (Status s = check_catalogue(); !s) return s.error();
      if (Status s = check_archive(*mark); !s) return s.error();
      if (Status s = check_amount(*mark); !s) return s.error();
    }
    return Recovery{*mark, catalogue_.visits - std::min(catalogue_.visits, mark->visits),
                    saved_.visits() - mark->visits};
  }

 private:
  Error refusal(const std::string& what, uint32_t pages) const {
    return {fmt::format(
        "{}; this concerns {} page{} and nothing was changed: see what is wrong with  dowser check "
        "{}  or go on without them with  dowser resume {} --accept-loss",
        what, pages, pages == 1 ? "" : "s", folder_.string(), folder_.string())};
  }

  Result<CatalogueSummary> read_catalogue() const {
    const path file = folder_ / "catalogue.sqlite";
    const auto size = size_of(file);
    if (!size) return size.error();
    Error problem{fmt::format("{} is missing", file.string())};
    if (*size) {
      Result<CatalogueSummary> summary = Catalogue::summary(file);
      if (summary && summary->has_tables) return summary;
      problem =
          summary ? Error{fmt::format("{} has lost its tables", file.string())}
                  : Error{fmt::format("the catalogue cannot be read: {}", summary.error().message)};
    }
    return Error{fmt::format(
        "{}; this concerns {} pages and nothing was changed: put the catalogue back or wait until "
        "nobody has it locked, or rebuild it from the archive with  dowser check {} --repair  "
        "(--accept-loss does not help here)",
        problem.message, saved_.visits(), folder_.string())};
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

  Status check_state() const {
    const uint32_t visits = saved_.visits();
    const std::optional<SyncMark>& known = catalogue_.synced;
    const bool is_old = known && saved_.synced().value_or(SyncMark{}).syncs < known->syncs;
    if (visits < catalogue_.visits && (is_old || (known && visits < known->visits))) {
      return refusal(
          fmt::format("{} knows {} pages and the catalogue {}: the state is damaged, or older than "
                      "the rest",
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
      return refusal(
          fmt::format("the log of {} is damaged after page {}, and the catalogue knows {}",
                      (folder_ / "state").string(), visits, catalogue_.visits),
          catalogue_.visits - visits);
    }
    return {};
  }

  Status check_catalogue() const {
    if (catalogue_.missing > 0) {
      return refusal(fmt::format("{} lacks rows", (folder_ / "catalogue.sqlite").string()),
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
  Status check_archive(const StoreMark& mark) const {
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

  Status check_amount(const StoreMark& mark) const {
    if (saved_.synced() && catalogue_.synced) return {};
    const uint32_t most = std::max(saved_.visits(), catalogue_.visits) - mark.visits;
    if (most <= kMostWithoutMark) return {};
    return refusal(
        fmt::format("state, catalogue and archive of {} agree on {} pages only, where the state "
                    "knows {} and the catalogue {}: a crash explains {} pages at most",
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
      return Error{fmt::format("{} is in use by another dowser", folder.string())};
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
  if (!*archived && !catalogued) return true;
  if (!*current || unreadable) {
    return Error{fmt::format(
        "{}; what the crawl has kept is still there and nothing was changed: put the state back "
        "(dowser check {} says what can be used), or start a new crawl with  --previous {}",
        unreadable
            ? unreadable->message
            : fmt::format("{} is missing or has lost its files", (folder / "state").string()),
        folder.string(), folder.string())};
  }
  return false;
}

Result<Recovery> plan_recovery(const path& folder, const SavedCrawl& saved, bool accept_loss) {
  return Comparison(folder, saved, accept_loss).run();
}

Result<CrawlCounters> recount(const path& catalogue, CrawlCounters saved, uint32_t visits) {
  Result<Database> db = Database::open(catalogue);
  if (!db) return db.error();
  const auto each_row = [&](std::string_view sql, const auto& take) -> Status {
    Result<Statement> rows = db->prepare(sql);
    if (!rows) return rows.error();
    rows->bind(1, int64_t{visits});
    while (true) {
      const Result<bool> row = rows->step();
      if (!row) return row.error();
      if (!*row) return {};
      take(*rows);
    }
  };
  CrawlCounters c = std::move(saved);
  Status read = each_row(
      "SELECT SUM(asked), COUNT(*) - SUM(asked), "
      "SUM(asked AND (status IS NULL OR status < 200 OR status > 299)), SUM(url != final_url), "
      "SUM(COALESCE(relevant_at_fetch, relevant) AND near_duplicate_of IS NULL AND NOT soft_404), "
      "SUM(near_duplicate_of IS NOT NULL), SUM(soft_404), SUM(truncated), SUM(bytes) "
      "FROM (SELECT *, COALESCE(failure NOT IN ('robots', 'robots-failed'), 1) AS asked "
      "FROM pages WHERE id < ?1)",
      [&](const Statement& row) {
        const auto number = [&](int column) { return static_cast<size_t>(row.integer(column)); };
        c.fetched = number(0), c.disallowed = number(1), c.failed = number(2);
        c.redirected = number(3), c.relevant = number(4), c.near_duplicates = number(5);
        c.soft_404 = number(6), c.truncated = number(7), c.bytes = number(8);
      });
  const auto read_table = [&](CrawlCounters::ByName& table, std::string_view sql) {
    table.clear();
    if (!read.ok()) return;
    read = each_row(sql, [&](const Statement& row) {
      table[row.text(0)] = static_cast<size_t>(row.integer(1));
    });
  };
  read_table(
      c.failures,
      "SELECT failure, COUNT(*) FROM pages WHERE id < ?1 AND failure IS NOT NULL GROUP BY 1");
  read_table(c.statuses,
             "SELECT status, COUNT(*) FROM pages WHERE id < ?1 AND status IS NOT NULL GROUP BY 1");
  read_table(
      c.refused,
      "SELECT refused, COUNT(*) FROM links WHERE page < ?1 AND refused IS NOT NULL GROUP BY 1");
  if (read.ok()) {
    read = each_row("SELECT COUNT(*) FROM links WHERE page < ?1",
                    [&](const Statement& row) { c.links = static_cast<size_t>(row.integer(0)); });
  }
  if (!read.ok()) return read.error();
  c.unchanged = std::min(c.unchanged, c.fetched);
  return c;
}

}  // namespace dowser
