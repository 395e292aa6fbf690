#include "store/catalogue_schema.h"

#include <fmt/format.h>

#include <iterator>

#include "store/catalogue.h"
#include "store/document_rows.h"
#include "store/row_sum.h"
#include "store/sense_tables.h"

namespace dowser {
namespace {

// Version 2, with which every catalogue begins; kMigrations add the rest. Names are the project's
// vocabulary; a column that may be absent is NULL, never a magic value.
constexpr char kSchema[] = R"sql(
PRAGMA user_version = 2;
CREATE TABLE runs (
  id INTEGER PRIMARY KEY, started_at TEXT NOT NULL, finished_at TEXT, configuration TEXT NOT NULL);
CREATE TABLE pages (
  id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, final_url TEXT NOT NULL, host TEXT NOT NULL,
  status INTEGER, failure TEXT, content_type TEXT, bytes INTEGER NOT NULL,
  truncated INTEGER NOT NULL,
  fetched_at TEXT NOT NULL, depth INTEGER NOT NULL, parent INTEGER REFERENCES pages(id),
  parent_link INTEGER, score REAL, score_2 REAL, score_3 REAL, score_4 REAL,
  relevance REAL NOT NULL, relevant INTEGER NOT NULL, label TEXT, reasons TEXT,
  language TEXT, charset TEXT, title TEXT, digest TEXT,
  canonical TEXT, near_duplicate_of INTEGER REFERENCES pages(id), soft_404 INTEGER NOT NULL,
  archive_file TEXT, archive_offset INTEGER);
CREATE TABLE links (
  page INTEGER NOT NULL REFERENCES pages(id), position INTEGER NOT NULL, url TEXT NOT NULL,
  anchor TEXT, tag_path TEXT, nofollow INTEGER NOT NULL, refused TEXT, score REAL,
  won INTEGER NOT NULL, parts TEXT,
  PRIMARY KEY (page, position)) WITHOUT ROWID;
CREATE TABLE hosts (
  host TEXT PRIMARY KEY, pages INTEGER NOT NULL, relevant INTEGER NOT NULL, failed INTEGER NOT NULL,
  bytes INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX pages_final_url ON pages(final_url);
CREATE VIEW fetched AS
  SELECT * FROM pages WHERE failure IS NULL OR failure NOT IN ('robots', 'robots-failed');
CREATE VIEW found AS
  SELECT * FROM pages WHERE relevant AND near_duplicate_of IS NULL AND NOT soft_404;
)sql";

// Links that appear on most pages of a host: its navigation bars and footers. The share of a host's
// pages that have them hardly changes after the first hundred or two, so no more are examined: the
// view costs one pass over `pages` and the links of at most 200 x 200 pages, whatever the size of
// the crawl. A page whose server names no type is parsed as HTML where it looks like it.
//
// Not part of kSchema, so that catalogues of crawls that began with an older version get them too.
constexpr char kBoilerplate[] = R"sql(
CREATE VIEW IF NOT EXISTS boilerplate_pages AS
  SELECT id, host FROM (
    SELECT id, host, ROW_NUMBER() OVER (PARTITION BY host ORDER BY id) AS nth FROM pages
    WHERE status BETWEEN 200 AND 299
      AND COALESCE(content_type, 'text/html') IN ('text/html', 'application/xhtml+xml')
      AND host IN (SELECT host FROM hosts ORDER BY pages DESC, host LIMIT 200))
  WHERE nth <= 200;
CREATE VIEW IF NOT EXISTS boilerplate AS
  WITH looked_at AS MATERIALIZED (SELECT id, host FROM boilerplate_pages),
    sizes AS (SELECT host, COUNT(*) AS size FROM looked_at GROUP BY host HAVING size >= 10),
    linked AS (
      SELECT host, page, COUNT(*) AS times,
        SUBSTR(url, 1, INSTR(url || '#', '#') - 1) AS address
      FROM looked_at JOIN links ON page = id GROUP BY page, address)
  SELECT host, address AS url, COUNT(*) AS pages, CAST(COUNT(*) AS REAL) / size AS share,
    SUM(times) AS links
  FROM linked JOIN sizes USING (host) GROUP BY host, address HAVING 2 * COUNT(*) >= size;
)sql";

// Likewise. Sums of rows: see row_sum.h.
constexpr char kSums[] =
    "CREATE TABLE IF NOT EXISTS sums (page INTEGER PRIMARY KEY, sum INTEGER NOT NULL);";

// How far everything has reached the disk: SyncMark. One row.
constexpr char kProgress[] = R"sql(
CREATE TABLE IF NOT EXISTS progress (
  id INTEGER PRIMARY KEY CHECK (id = 0), visits_synced INTEGER NOT NULL, syncs INTEGER NOT NULL);
)sql";

// A row for each page instead of one for each link. What is in the lists: link_list.h.
constexpr char kLinkLists[] = R"sql(
CREATE TABLE link_lists (
  page INTEGER PRIMARY KEY REFERENCES pages(id), base TEXT NOT NULL, paths TEXT NOT NULL,
  links TEXT NOT NULL);
)sql";
constexpr char kLinksView[] = R"sql(
DROP TABLE links;
CREATE VIEW links AS
  SELECT page, key AS position, SUBSTR(base, 1, value ->> 0) || (value ->> 1) AS url,
    value ->> 5 AS anchor, paths ->> (value ->> 2) AS tag_path, (value ->> 3) >> 1 AS nofollow,
    CASE TYPEOF(value ->> 4) WHEN 'text' THEN value ->> 4 END AS refused,
    CASE TYPEOF(value ->> 4) WHEN 'real' THEN value ->> 4 END AS score,
    (value ->> 3) & 1 AS won, value ->> 6 AS parts
  FROM link_lists, JSON_EACH(links);
)sql";

// Packs the rows of `links`. Sums stay as they are: they are of what the rows say.
Status pack_all_links(Database& database) {
  if (Status s = database.execute(kLinkLists); !s) return s;
  Result<PageReader> reader = PageReader::open(database);
  if (!reader) return reader.error();
  Result<Statement> ids = database.prepare("SELECT id FROM pages ORDER BY id");
  if (!ids) return ids.error();
  Result<Statement> insert = database.prepare(insert_link_list_sql());
  if (!insert) return insert.error();
  LinkListWriter list;
  int64_t packed = 0;
  while (true) {
    const Result<bool> there = ids->step();
    if (!there) return there.error();
    if (!*there) break;
    const int64_t id = ids->integer(0);
    const auto rows = reader->read(id);
    if (!rows) return rows.error();
    if (!*rows || (*rows)->links.empty()) continue;
    if (Status s = pack_links(**rows, list); !s) return s;
    insert->bind(1, id).bind(2, list.base()).bind(3, list.paths()).bind(4, list.links());
    if (Status s = insert->run(); !s) return s;
    packed += static_cast<int64_t>((*rows)->links.size());
  }
  Result<Statement> count = database.prepare("SELECT COUNT(*) FROM links");
  if (!count) return count.error();
  if (const Result<bool> there = count->step(); !there) return there.error();
  if (count->integer(0) == packed) return {};
  return Error{
      "the catalogue has links that belong to no page: run dowser check, then dowser check "
      "--repair"};
}

// What each later version added, in one transaction. A new column comes last in its table and in
// the list of columns in row_sum.h, and is NULL in the rows of older crawls, so that the sums of
// these rows stay what they are.
struct Migration {
  int version;
  const char* sql;
  Status (*convert)(Database&) = nullptr;  // called before
};
constexpr Migration kMigrations[] = {
    // Verdicts at fetch, beside those of the final judgement. One row tells by what all pages were
    // judged (store/verdicts.h); there is none before that.
    {3, R"sql(
ALTER TABLE pages ADD COLUMN relevance_at_fetch REAL;
ALTER TABLE pages ADD COLUMN relevant_at_fetch INTEGER;
CREATE TABLE judged (
  id INTEGER PRIMARY KEY CHECK (id = 0), judge TEXT NOT NULL, threshold REAL NOT NULL,
  pages INTEGER NOT NULL);
)sql"},
    {4, kDocumentSchema},
    {5, kLinksView, pack_all_links},
    {6, kSenseSchema},
};
static_assert(std::end(kMigrations)[-1].version == kCatalogueVersion);

Result<int> version_of(Database& database) {
  Result<Statement> row = database.prepare("PRAGMA user_version");
  if (!row) return row.error();
  if (const Result<bool> there = row->step(); !there) return there.error();
  return static_cast<int>(row->integer(0));
}

Status migrate(Database& database, int to) {
  const Result<int> version = version_of(database);
  if (!version) return version.error();
  for (const Migration& migration : kMigrations) {
    if (migration.version <= *version || migration.version > to) continue;
    Status done = database.execute("BEGIN IMMEDIATE");
    if (done.ok() && migration.convert) done = migration.convert(database);
    if (done.ok()) {
      done = database.execute(
          fmt::format("{}PRAGMA user_version = {}; COMMIT;", migration.sql, migration.version)
              .c_str());
    }
    if (done.ok()) continue;
    (void)database.execute("ROLLBACK");
    return done;
  }
  return database.unpack_links();
}

Status make_tables(Database& database, int version) {
  if (Status s = database.execute(kSchema); !s) return s;
  for (const char* sql : {kBoilerplate, kSums, kProgress}) {
    if (Status s = database.execute(sql); !s) return s;
  }
  return migrate(database, version);
}

}  // namespace

std::string_view insert_link_list_sql() {
  return "INSERT INTO link_lists (page, base, paths, links) VALUES (?1, ?2, ?3, ?4)";
}

Status upgrade_tables(Database& database) {
  for (const char* sql : {kBoilerplate, kSums, kProgress}) {
    if (Status s = database.execute(sql); !s) return s;
  }
  return migrate(database, kCatalogueVersion);
}

Status make_tables(Database& database) { return make_tables(database, kCatalogueVersion); }

Result<std::map<std::string, std::string>> schema_of(Database& database) {
  Result<Statement> rows =
      database.prepare("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL");
  if (!rows) return rows.error();
  std::map<std::string, std::string> schema;
  Status read = rows->for_each([&](const Statement& row) { schema[row.text(0)] = row.text(1); });
  if (!read) return read.error();
  return schema;
}

Result<std::map<std::string, std::string>> catalogue_schema(int version) {
  Result<Database> database = Database::create(":memory:");
  if (!database) return database.error();
  if (Status s = make_tables(*database, version); !s) return s.error();
  return schema_of(*database);
}

}  // namespace dowser
