#include "store/signature_tables.h"

#include <map>

#include "store/database.h"

namespace dowser {
namespace {

constexpr char kTables[] = R"sql(
CREATE TABLE IF NOT EXISTS signatures (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, words TEXT NOT NULL, angle REAL NOT NULL,
  precision REAL NOT NULL);
CREATE TABLE IF NOT EXISTS hits (
  page INTEGER NOT NULL REFERENCES pages(id), signature INTEGER NOT NULL REFERENCES signatures(id),
  count INTEGER NOT NULL, PRIMARY KEY (page, signature)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS clusters (
  page INTEGER PRIMARY KEY REFERENCES pages(id), cluster INTEGER NOT NULL);
DELETE FROM clusters; DELETE FROM hits; DELETE FROM signatures;
)sql";

Status insert_all(Database& database, const SignatureTables& tables) {
  Result<Statement> signature = database.prepare(
      "INSERT INTO signatures (id, name, words, angle, precision) VALUES (?1, ?2, ?3, ?4, ?5)");
  if (!signature) return signature.error();
  Result<Statement> hit =
      database.prepare("INSERT INTO hits (page, signature, count) VALUES (?1, ?2, ?3)");
  if (!hit) return hit.error();
  Result<Statement> cluster =
      database.prepare("INSERT INTO clusters (page, cluster) VALUES (?1, ?2)");
  if (!cluster) return cluster.error();
  for (size_t i = 0; i < tables.signatures.size(); ++i) {
    const StoredSignature& s = tables.signatures[i];
    signature->bind(1, static_cast<int64_t>(i)).bind(2, s.name).bind(3, s.words);
    if (Status done = signature->bind(4, s.angle).bind(5, s.precision).run(); !done) return done;
  }
  for (const StoredHits& page : tables.pages) {
    for (const auto& [number, count] : page.counts) {
      hit->bind(1, page.page).bind(2, int64_t{number}).bind(3, int64_t{count});
      if (Status done = hit->run(); !done) return done;
    }
    if (page.cluster < 0) continue;
    if (Status done = cluster->bind(1, page.page).bind(2, page.cluster).run(); !done) return done;
  }
  return {};
}

}  // namespace

Status write_signature_tables(const std::filesystem::path& catalogue,
                              const SignatureTables& tables) {
  Result<Database> database = Database::open_for_writing(catalogue);
  if (!database) return database.error();
  if (Status s = database->execute("BEGIN IMMEDIATE"); !s) return s;
  Status done = database->execute(kTables);
  if (done.ok()) done = insert_all(*database, tables);
  if (done.ok()) return database->execute("COMMIT");
  (void)database->execute("ROLLBACK");
  return done;
}

Result<SignatureTables> read_signature_tables(const std::filesystem::path& catalogue) {
  Result<Database> database = Database::open(catalogue);
  if (!database) return database.error();
  SignatureTables tables;
  {
    Result<Statement> there = database->prepare(
        "SELECT COUNT(*) FROM sqlite_master WHERE name IN ('signatures', 'hits', 'clusters')");
    if (!there) return there.error();
    const Result<bool> row = there->step();
    if (!row) return row.error();
    if (there->integer(0) < 3) return tables;
  }
  std::map<int64_t, uint32_t> number_of;
  Result<Statement> signatures =
      database->prepare("SELECT id, name, words, angle, precision FROM signatures ORDER BY id");
  if (!signatures) return signatures.error();
  while (true) {
    const Result<bool> row = signatures->step();
    if (!row) return row.error();
    if (!*row) break;
    number_of.emplace(signatures->integer(0), static_cast<uint32_t>(tables.signatures.size()));
    tables.signatures.push_back(
        {signatures->text(1), signatures->text(2), signatures->real(3), signatures->real(4)});
  }
  Result<Statement> hits = database->prepare(
      "SELECT h.page, h.signature, h.count, c.cluster FROM hits h LEFT JOIN clusters c USING "
      "(page) "
      "ORDER BY h.page, h.signature");
  if (!hits) return hits.error();
  while (true) {
    const Result<bool> row = hits->step();
    if (!row) return row.error();
    if (!*row) return tables;
    const auto number = number_of.find(hits->integer(1));
    if (number == number_of.end()) continue;
    if (tables.pages.empty() || tables.pages.back().page != hits->integer(0)) {
      tables.pages.push_back({hits->integer(0), {}, hits->is_null(3) ? -1 : hits->integer(3)});
    }
    tables.pages.back().counts.emplace_back(number->second,
                                            static_cast<uint32_t>(hits->integer(2)));
  }
}

}  // namespace dowser
