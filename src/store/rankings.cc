#include "store/rankings.h"

#include "store/database.h"

namespace dowser {
namespace {

constexpr char kTables[] = R"sql(
BEGIN IMMEDIATE;
DROP TABLE IF EXISTS rankings;
DROP TABLE IF EXISTS ranks;
DROP TABLE IF EXISTS page_links;
CREATE TABLE rankings (
  id INTEGER PRIMARY KEY, topic TEXT NOT NULL, made_at TEXT NOT NULL, settings TEXT NOT NULL,
  pages INTEGER NOT NULL, pagerank_converged INTEGER NOT NULL, hits_converged INTEGER NOT NULL);
CREATE TABLE ranks (
  ranking INTEGER NOT NULL REFERENCES rankings(id), page INTEGER NOT NULL REFERENCES pages(id),
  pagerank REAL NOT NULL, hub REAL NOT NULL, authority REAL NOT NULL,
  PRIMARY KEY (ranking, page)) WITHOUT ROWID;
CREATE TABLE page_links (
  page INTEGER PRIMARY KEY REFERENCES pages(id), in_links INTEGER NOT NULL,
  out_links INTEGER NOT NULL, external_in_links INTEGER NOT NULL, community INTEGER NOT NULL);
)sql";

Status write_pages(Database& database, const KeptRankings& all) {
  Result<Statement> insert = database.prepare("INSERT INTO page_links VALUES (?1, ?2, ?3, ?4, ?5)");
  if (!insert) return insert.error();
  for (size_t i = 0; i < all.pages.size(); ++i) {
    insert->bind(1, all.pages[i]).bind(2, int64_t{all.in_links[i]});
    insert->bind(3, int64_t{all.out_links[i]}).bind(4, int64_t{all.external_in_links[i]});
    if (Status s = insert->bind(5, int64_t{all.communities[i]}).run(); !s) return s;
  }
  return {};
}

Status write_ranking(Database& database, const KeptRankings& all, size_t number) {
  const KeptRanking& ranking = all.rankings[number];
  const auto id = static_cast<int64_t>(number);
  Result<Statement> head =
      database.prepare("INSERT INTO rankings VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  if (!head) return head.error();
  head->bind(1, id).bind(2, ranking.topic).bind(3, all.made_at).bind(4, all.settings);
  head->bind(5, static_cast<int64_t>(all.pages.size()));
  head->bind(6, int64_t{ranking.pagerank_converged}).bind(7, int64_t{ranking.hits_converged});
  if (Status s = head->run(); !s) return s;
  Result<Statement> insert = database.prepare("INSERT INTO ranks VALUES (?1, ?2, ?3, ?4, ?5)");
  if (!insert) return insert.error();
  for (size_t i = 0; i < all.pages.size(); ++i) {
    insert->bind(1, id).bind(2, all.pages[i]).bind(3, ranking.pagerank[i]);
    insert->bind(4, ranking.hubs[i]).bind(5, ranking.authorities[i]);
    if (Status s = insert->run(); !s) return s;
  }
  return {};
}

Status write_all_tables(Database& database, const KeptRankings& all) {
  if (Status s = database.execute(kTables); !s) return s;
  if (Status s = write_pages(database, all); !s) return s;
  for (size_t i = 0; i < all.rankings.size(); ++i) {
    if (Status s = write_ranking(database, all, i); !s) return s;
  }
  return database.execute("COMMIT");
}

}  // namespace

Status keep_rankings(const std::filesystem::path& catalogue, const KeptRankings& rankings) {
  Result<Database> database = Database::open_for_writing(catalogue);
  if (!database) return database.error();
  Status written = write_all_tables(*database, rankings);
  // Where there is no transaction any more, SQLite has undone it itself.
  if (!written.ok()) (void)database->execute("ROLLBACK");
  return written;
}

}  // namespace dowser
