#include "store/statistics_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/document.h"
#include "model/url_host.h"
#include "store/catalogue_error.h"
#include "store/database.h"

namespace dowser {
namespace {

constexpr char kTables[] = R"sql(
DROP TABLE IF EXISTS sites;
DROP TABLE IF EXISTS directories;
DROP TABLE IF EXISTS stop_directories;
CREATE TABLE sites (
  host TEXT PRIMARY KEY, entrance TEXT NOT NULL, first_page_at TEXT, last_page_at TEXT,
  referred_to INTEGER NOT NULL, pages INTEGER NOT NULL, relevant INTEGER NOT NULL,
  documents INTEGER NOT NULL, accepted INTEGER NOT NULL, prr REAL, ddr REAL, adr REAL,
  trap INTEGER NOT NULL, not_again TEXT) WITHOUT ROWID;
CREATE TABLE directories (
  host TEXT NOT NULL, path TEXT NOT NULL, pages INTEGER NOT NULL, relevant INTEGER NOT NULL,
  documents INTEGER NOT NULL, accepted INTEGER NOT NULL, prr REAL, ddr REAL, adr REAL,
  avoid TEXT, PRIMARY KEY (host, path)) WITHOUT ROWID;
CREATE TABLE stop_directories (
  name TEXT NOT NULL, kind TEXT NOT NULL, sites INTEGER NOT NULL, hosts TEXT NOT NULL,
  stop INTEGER NOT NULL, PRIMARY KEY (name, kind)) WITHOUT ROWID;
)sql";

// Binds counts and rates from parameter `first` on.
void bind_counts(Statement& statement, int first, const DirectoryCounts& counts) {
  for (const uint32_t count : {counts.pages, counts.relevant, counts.documents, counts.accepted}) {
    statement.bind(first++, int64_t{count});
  }
  for (const std::optional<double> rate : {counts.prr(), counts.ddr(), counts.adr()}) {
    rate ? statement.bind(first++, *rate) : statement.bind_null(first++);
  }
}

void bind_reason(Statement& statement, int parameter, const std::string& reason) {
  reason.empty() ? statement.bind_null(parameter) : statement.bind(parameter, reason);
}

// Of the columns pages, relevant, documents, accepted and ddr.
DirectoryCounts counts_at(const Statement& row, int first) {
  const auto count = [&](int i) { return static_cast<uint32_t>(row.integer(first + i)); };
  const bool has_documents = count(0) == 0 || !row.is_null(first + 4);
  return {count(0), count(1), count(2), count(3), has_documents};
}

Status insert_all(Database& database, const CrawlStatistics& statistics) {
  Result<Statement> site = database.prepare(
      "INSERT INTO sites VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)");
  if (!site) return site.error();
  for (const SiteRow& row : statistics.sites()) {
    site->bind(1, row.host).bind(2, row.entrance);
    site->bind(3, to_iso8601(row.first_page)).bind(4, to_iso8601(row.last_page));
    site->bind(5, int64_t{row.references});
    bind_counts(*site, 6, row.counts);
    site->bind(13, int64_t{row.is_trap});
    bind_reason(*site, 14, row.not_again);
    if (Status s = site->run(); !s) return s;
  }
  Result<Statement> directory =
      database.prepare("INSERT INTO directories VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
  if (!directory) return directory.error();
  for (const DirectoryRow& row : statistics.directories()) {
    directory->bind(1, row.host).bind(2, row.path);
    bind_counts(*directory, 3, row.counts);
    bind_reason(*directory, 10, row.avoid);
    if (Status s = directory->run(); !s) return s;
  }
  Result<Statement> stop =
      database.prepare("INSERT INTO stop_directories VALUES (?1, ?2, ?3, ?4, ?5)");
  if (!stop) return stop.error();
  for (const StopDirectoryRow& row : statistics.stop_directories()) {
    stop->bind(1, row.name).bind(2, row.kind).bind(3, static_cast<int64_t>(row.sites.size()));
    stop->bind(4, fmt::format("{}", fmt::join(row.sites, " "))).bind(5, int64_t{row.is_stop});
    if (Status s = stop->run(); !s) return s;
  }
  return {};
}

Result<bool> has_table(Database& database, std::string_view name) {
  Result<Statement> there =
      database.prepare("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?1");
  if (!there) return there.error();
  const Result<bool> row = there->bind(1, name).step();
  if (!row) return row.error();
  return there->integer(0) == 1;
}

Status read_all(Database& database, const char* sql,
                const std::function<void(const Statement&)>& use) {
  Result<Statement> rows = database.prepare(sql);
  if (!rows) return rows.error();
  return rows->for_each(use);
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

Time time_of(const std::string& text) {
  const Result<Time> time = parse_iso8601(text);
  return time ? *time : Time{0};
}

}  // namespace

Status write_statistics(const std::filesystem::path& catalogue, const CrawlStatistics& statistics) {
  Result<Database> database = Database::open_for_writing(catalogue);
  if (!database) return database.error();
  if (Status s = database->execute("BEGIN IMMEDIATE"); !s) return s;
  Status done = database->execute(kTables);
  if (done.ok()) done = insert_all(*database, statistics);
  if (done.ok()) return database->execute("COMMIT");
  (void)database->execute("ROLLBACK");
  return done;
}

Result<StatisticsRows> read_statistics(const std::filesystem::path& catalogue) {
  Result<Database> database = Database::open(catalogue);
  if (!database) return see_check(database.error(), catalogue);
  StatisticsRows rows;
  const Result<bool> there = has_table(*database, "stop_directories");  // the last to be made
  if (!there) return see_check(there.error(), catalogue);
  if (!*there) return rows;
  Status read =
      read_all(*database,
               "SELECT host, entrance, first_page_at, last_page_at, referred_to, trap, not_again, "
               "pages, relevant, documents, accepted, ddr FROM sites ORDER BY first_page_at, host",
               [&](const Statement& row) {
                 rows.sites.push_back({row.text(0), row.text(1), time_of(row.text(2)),
                                       time_of(row.text(3)), static_cast<uint32_t>(row.integer(4)),
                                       counts_at(row, 7), row.integer(5) != 0, row.text(6)});
               });
  if (!read) return read.error();
  read = read_all(
      *database,
      "SELECT host, path, avoid, pages, relevant, documents, accepted, ddr FROM directories "
      "ORDER BY host, path",
      [&](const Statement& row) {
        rows.directories.push_back({row.text(0), row.text(1), counts_at(row, 3), row.text(2)});
      });
  if (!read) return read.error();
  read = read_all(*database,
                  "SELECT name, kind, hosts, stop FROM stop_directories ORDER BY name, kind DESC",
                  [&](const Statement& row) {
                    rows.stop_directories.push_back(
                        {row.text(0), row.text(1), split(row.text(2)), row.integer(3) != 0});
                  });
  if (!read) return read.error();
  return rows;
}

Result<EarlierLists> read_earlier_lists(const std::filesystem::path& catalogue) {
  Result<StatisticsRows> rows = read_statistics(catalogue);
  if (!rows) return rows.error();
  EarlierLists lists;
  lists.stop_directories = std::move(rows->stop_directories);
  for (const DirectoryRow& row : rows->directories) {
    if (!row.avoid.empty()) lists.avoid.emplace_back(row.host, row.path);
  }
  for (const SiteRow& row : rows->sites) {
    if (!row.not_again.empty()) lists.not_again.push_back(row.host);
  }
  return lists;
}

Status add_catalogue(const std::filesystem::path& catalogue, CrawlStatistics& statistics) {
  Result<Database> database = Database::open(catalogue);
  if (!database) return see_check(database.error(), catalogue);
  const Result<bool> has_documents = has_table(*database, "documents");
  if (!has_documents) return see_check(has_documents.error(), catalogue);
  const std::string sql = fmt::format(
      "SELECT final_url, relevant AND near_duplicate_of IS NULL AND NOT soft_404, fetched_at, {} "
      "WHERE status BETWEEN 200 AND 299 AND pages.failure IS NULL ORDER BY id",
      *has_documents ? "format, accepted FROM pages LEFT JOIN documents ON page = id"
                     : "NULL, NULL FROM pages");
  const Status pages = read_all(*database, sql.c_str(), [&](const Statement& row) {
    const Result<Url> url = Url::parse(row.text(0));
    if (!url) return;
    const bool is_document = !row.is_null(3);
    if (is_document) statistics.add_document(*url, row.integer(4) != 0);
    if (!is_document || row.text(3) == name_of(DocumentFormat::kHtml)) {
      statistics.add_page(*url, row.integer(1) != 0, time_of(row.text(2)));
    }
  });
  if (!pages) return pages;
  std::string host;
  int64_t page = -1;
  return read_all(*database,
                  "SELECT pages.id, pages.final_url, links.url FROM links JOIN pages ON page = id "
                  "WHERE status BETWEEN 200 AND 299 AND failure IS NULL ORDER BY page",
                  [&](const Statement& row) {
                    if (row.integer(0) != page) {
                      page = row.integer(0);
                      const Result<Url> from = Url::parse(row.text(1));
                      host = from ? name_without_dot(*from) : std::string_view();
                    }
                    const Result<Url> to = Url::from_href(row.view(2));
                    if (to) statistics.add_reference(host, *to);
                  });
}

}  // namespace dowser
