#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/set_aside.h"
#include "model/visit.h"
#include "store/database.h"
#include "store/link_list.h"
#include "store/row_sum.h"

// The catalogue: one SQLite file, which many tools can open. Its tables are described in
// docs/formats.md; the schema is in catalogue_schema.cc.

namespace dowser {

// A link of a visited page and what became of it.
struct FoundLink {
  const Link* link = nullptr;
  std::optional<Score> score;  // nothing: not followed
  bool won = false;            // it was new, or better than every earlier offer
  std::string parts;           // terms of a winning score: "page=0.31 anchor=0.2"; otherwise empty
  std::string_view refused;    // why the strategy was not asked: "nofollow", "depth", "denied", …
};

// Where the archive holds a response.
struct ArchivePlace {
  std::string file;  // empty: nothing was archived
  int64_t offset = 0;
  std::string digest;  // of the payload
};

inline constexpr int kCatalogueVersion = 6;  // PRAGMA user_version

inline constexpr int kOldestCatalogueVersion = 2;  // that is read and upgraded

// The tables, indexes and views of a catalogue: their SQL by name.
Result<std::map<std::string, std::string>> catalogue_schema(int version = kCatalogueVersion);
Result<std::map<std::string, std::string>> schema_of(Database& database);
// Counts the pages of all hosts again; for use in a transaction.
std::string_view recount_hosts_sql();

// The last moment at which archive, catalogue and state of a crawl were all on disk. The state and
// the catalogue both keep this mark. A crash can lose only what came after it, so if one of the two
// ends before the other's mark, it is damaged or belongs to another crawl.
struct SyncMark {
  uint32_t visits = 0;
  uint64_t syncs = 0;  // number of syncs so far
};

// What a catalogue says about itself.
struct CatalogueSummary {
  bool has_tables = false;         // false if the crawl was killed while it made them
  uint32_t visits = 0;             // the highest id plus 1
  uint32_t missing = 0;            // ids below `visits` without a row
  std::optional<SyncMark> synced;  // nothing in catalogues of older versions
};

class Catalogue {
 public:
  // A new catalogue; the file must not exist.
  static Result<Catalogue> create(const std::filesystem::path& path);
  // The catalogue of an earlier crawl, finished or not. An Error, and nothing changed, if another
  // process has it locked.
  static Result<Catalogue> open(const std::filesystem::path& path);
  // Whether SQLite finds the structure of the file broken. Reads all of it.
  static bool is_damaged(const std::filesystem::path& path);
  // Changes nothing.
  static Result<CatalogueSummary> summary(const std::filesystem::path& path);

  Status add_run(std::string_view configuration, Time started);
  Status add_run(const Row& run);  // of another catalogue, as it is
  // Visits are added between begin() and commit(), all or none. After commit() they survive the end
  // of the process, after sync() also a crash of the machine. After an error: undo().
  Status begin() { return begin_.run(); }
  Status add(const Visit& visit, std::span<const FoundLink> links, const ArchivePlace& place);
  // Rows of another catalogue, as they are.
  Status add(const PageRows& rows);
  Status commit();
  void undo();
  Status sync();
  // Written with the next commit(), by finish_run(), or by write_synced() at once.
  void set_synced(const SyncMark& mark) { synced_ = mark; }
  Status write_synced();
  Status finish_run(Time finished);
  // Counts the pages of all hosts again.
  Status recount_hosts();

  // Moves all pages with ids from `visits` on, and their links, to a small catalogue of their own.
  Status cut_to(uint32_t visits, SetAside& set_aside);
  Result<std::string> url_of(VisitId visit);

 private:
  Catalogue(std::filesystem::path path, Database database, std::vector<Statement> statements);
  static Result<Catalogue> prepare(std::filesystem::path path, Database database);
  Status add_page(const Visit& visit, const ArchivePlace& place);
  Status add_links(const Visit& visit, std::span<const FoundLink> links);
  Status add_link_list(int64_t page);
  Status add_document(const Visit& visit);
  Status add_sum(int64_t page);
  Status change_run(Statement& change);
  Status sum_newest_run();

  std::filesystem::path path_;
  Database database_;
  Statement insert_page_, insert_link_list_, update_host_, select_url_;
  Statement begin_, commit_, set_progress_, insert_sum_, insert_document_;
  LinkListWriter link_list_;  // of a page
  uint64_t sum_ = 0;          // of the rows of a page
  int since_checkpoint_ = 0;
  std::optional<SyncMark> synced_;  // not yet written
};

}  // namespace dowser
