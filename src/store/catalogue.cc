#include "store/catalogue.h"

#include <fmt/format.h>

#include <cmath>

#include "base/file.h"
#include "base/shorten.h"
#include "store/catalogue_schema.h"
#include "store/document_rows.h"
#include "store/visit_metadata.h"

namespace dowser {
namespace {

constexpr std::string_view kInsertSum = "INSERT OR REPLACE INTO sums (page, sum) VALUES (?1, ?2)";

constexpr std::string_view kSetProgress = R"sql(
INSERT INTO progress (id, visits_synced, syncs) VALUES (0, ?1, ?2)
ON CONFLICT (id) DO UPDATE SET visits_synced = ?1, syncs = ?2)sql";

// Columns in the order of kPageColumns, as sums want it.
constexpr std::string_view kInsertPage = R"sql(
INSERT INTO pages (id, url, final_url, host, status, failure, content_type, bytes, truncated,
  fetched_at, depth, parent, score, score_2, score_3, score_4, relevance, relevant, label, reasons,
  language, charset, title, digest, archive_file, archive_offset, parent_link,
  canonical, near_duplicate_of, soft_404, relevance_at_fetch, relevant_at_fetch)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
  ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32))sql";

constexpr std::string_view kUpdateHost = R"sql(
INSERT INTO hosts (host, pages, relevant, failed, bytes) VALUES (?1, 1, ?2, ?3, ?4)
ON CONFLICT (host) DO UPDATE SET pages = pages + 1, relevant = relevant + ?2, failed = failed + ?3,
  bytes = bytes + ?4)sql";

// In WAL mode a transaction is a write without a sync, and readers and the crawl never wait for
// each other. It stays in that mode for good: a switch back would need a moment without readers.
// What gathers in the WAL is moved into the file, with syncs, at intervals of this many visits.
// When the last connection closes, SQLite moves the rest and removes the WAL, so that there is one
// file again.
constexpr char kPragmas[] = R"sql(
PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;
PRAGMA journal_size_limit = 67108864;)sql";
constexpr int kVisitsPerCheckpoint = 5'000;

constexpr std::string_view kRecountHosts = R"sql(
DELETE FROM hosts;
INSERT INTO hosts SELECT host, COUNT(*),
  SUM(relevant AND near_duplicate_of IS NULL AND NOT soft_404),
  SUM(status IS NULL OR status < 200 OR status >= 300), SUM(bytes) FROM pages GROUP BY host;)sql";

constexpr size_t kMaxAnchor = 1000;  // bytes; of an <a> that is never closed the whole page may be

void bind_or_null(SummedRow& s, int index, std::string_view text) {
  text.empty() ? s.bind_null(index) : s.bind(index, text);
}

void bind_row(Statement& statement, const Row& row) {
  for (size_t i = 0; i < row.size(); ++i) {
    const int index = static_cast<int>(i) + 1;
    statement.bind_null(index);
    if (const auto* integer = std::get_if<int64_t>(&row[i])) statement.bind(index, *integer);
    if (const auto* real = std::get_if<double>(&row[i])) statement.bind(index, *real);
    if (const auto* text = std::get_if<std::string>(&row[i])) statement.bind(index, *text);
  }
}

Status insert_row(Statement& statement, const Row& row) {
  bind_row(statement, row);
  return statement.run();
}

}  // namespace

Catalogue::Catalogue(std::filesystem::path path, Database database,
                     std::vector<Statement> statements)
    : path_(std::move(path)),
      database_(std::move(database)),
      insert_page_(std::move(statements[0])),
      insert_link_list_(std::move(statements[1])),
      update_host_(std::move(statements[2])),
      select_url_(std::move(statements[3])),
      begin_(std::move(statements[4])),
      commit_(std::move(statements[5])),
      set_progress_(std::move(statements[6])),
      insert_sum_(std::move(statements[7])),
      insert_document_(std::move(statements[8])) {}

Result<Catalogue> Catalogue::prepare(std::filesystem::path path, Database database) {
  std::vector<Statement> statements;
  for (const std::string_view sql :
       {kInsertPage, insert_link_list_sql(), kUpdateHost,
        std::string_view("SELECT url FROM pages WHERE id = ?1"),
        std::string_view("BEGIN IMMEDIATE"), std::string_view("COMMIT"), kSetProgress, kInsertSum,
        kInsertDocument}) {
    Result<Statement> statement = database.prepare(sql);
    if (!statement) return statement.error();
    statements.push_back(std::move(*statement));
  }
  // From now on other programs are waited for longer: a crawl that ends because somebody makes a
  // copy of its catalogue is worse than one that pauses.
  database.set_patience(std::chrono::minutes(1));
  return Catalogue(std::move(path), std::move(database), std::move(statements));
}

Result<Catalogue> Catalogue::create(const std::filesystem::path& path) {
  std::error_code failed;
  const bool exists = std::filesystem::exists(path, failed);
  if (exists || failed) {
    return Error{fmt::format("cannot make {}: {}; name another folder with --out", path.string(),
                             failed ? failed.message() : "it exists already")};
  }
  Result<Database> database = Database::create(path);
  if (!database) return database.error();
  if (Status s = database->execute(kPragmas); !s) return s.error();
  if (Status s = make_tables(*database); !s) return s.error();
  return prepare(path, std::move(*database));
}

Result<Catalogue> Catalogue::open(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) {
    return Error{failed ? fmt::format("cannot open {}: {}", path.string(), failed.message())
                        : fmt::format("there is no {}", path.string())};
  }
  Result<Database> database = Database::open_for_writing(path);
  if (!database) return database.error();
  if (Status s = database->execute(kPragmas); !s) return s.error();
  // Whoever else writes to it is noticed before anything is changed.
  if (Status s = database->execute("BEGIN IMMEDIATE; ROLLBACK"); !s) return s.error();
  if (Status s = upgrade_tables(*database); !s) return s.error();
  return prepare(path, std::move(*database));
}

std::string_view recount_hosts_sql() { return kRecountHosts; }

namespace {

// Reads the whole file, about 1 GB a second: a page of it that was overwritten would otherwise be
// noticed when a crawl comes to it, or never.
Status check_structure(Database& database) {
  Result<Statement> check = database.prepare("PRAGMA quick_check(1)");
  if (!check) return check.error();
  const Result<bool> row = check->step();
  if (!row) return row.error();
  if (*row && check->text(0) == "ok") return {};
  return Error{"its structure is damaged"};
}

Result<std::vector<int64_t>> first_row(Database& database, std::string_view sql) {
  Result<Statement> select = database.prepare(sql);
  if (!select) return select.error();
  const Result<bool> row = select->step();
  if (!row) return row.error();
  std::vector<int64_t> numbers;
  for (int i = 0; *row && i < select->columns(); ++i) numbers.push_back(select->integer(i));
  return numbers;
}

}  // namespace

bool Catalogue::is_damaged(const std::filesystem::path& path) {
  Result<Database> database = Database::open(path);
  if (!database) return false;  // missing, or not to be read now
  Result<Statement> check = database->prepare("PRAGMA quick_check(1)");
  const Result<bool> row = check ? check->step() : Result<bool>(check.error());
  return row ? *row && check->text(0) != "ok" : database->is_damaged();
}

Result<CatalogueSummary> Catalogue::summary(const std::filesystem::path& path) {
  Result<Database> database = Database::open(path);
  if (!database) return database.error();
  const auto tables = first_row(*database,
                                "SELECT SUM(name = 'pages'), SUM(name = 'links'), "
                                "SUM(name = 'hosts'), SUM(name = 'progress') FROM sqlite_master");
  if (!tables) return tables.error();
  CatalogueSummary summary;
  summary.has_tables = (*tables)[0] && (*tables)[1] && (*tables)[2];
  if (!summary.has_tables) return summary;
  if (Status s = check_structure(*database); !s) return s.error();
  const auto pages = first_row(*database, "SELECT COALESCE(MAX(id) + 1, 0), COUNT(*) FROM pages");
  if (!pages) return pages.error();
  summary.visits = static_cast<uint32_t>((*pages)[0]);
  summary.missing = summary.visits - static_cast<uint32_t>((*pages)[1]);
  if (!(*tables)[3]) return summary;
  const auto synced = first_row(*database, "SELECT visits_synced, syncs FROM progress");
  if (!synced) return synced.error();
  if (!synced->empty()) {
    summary.synced = {static_cast<uint32_t>((*synced)[0]), static_cast<uint64_t>((*synced)[1])};
  }
  return summary;
}

Status Catalogue::add_run(std::string_view configuration, Time started) {
  Result<Statement> insert =
      database_.prepare("INSERT INTO runs (started_at, configuration) VALUES (?1, ?2)");
  if (!insert) return insert.error();
  insert->bind(1, to_iso8601(started)).bind(2, configuration);
  return change_run(*insert);
}

Status Catalogue::add_run(const Row& run) {
  Result<Statement> insert =
      database_.prepare(fmt::format("INSERT INTO runs ({}) VALUES (?1, ?2, ?3, ?4)", kRunColumns));
  if (!insert) return insert.error();
  bind_row(*insert, run);
  return change_run(*insert);
}

// A change of the newest run, with its sum.
Status Catalogue::change_run(Statement& change) {
  if (Status s = begin(); !s) return s;
  Status done = change.run();
  if (done.ok()) done = sum_newest_run();
  if (done.ok()) done = write_synced();
  if (done.ok()) done = commit_.run();
  if (!done.ok()) undo();
  return done;
}

Status Catalogue::sum_newest_run() {
  Result<Statement> run =
      database_.prepare(fmt::format("SELECT {} FROM runs ORDER BY id DESC LIMIT 1", kRunColumns));
  if (!run) return run.error();
  const Result<bool> there = run->step();
  if (!there) return there.error();
  if (!*there) return {};
  sum_ = sum_of(row_of(*run), SummedTable::kRuns);
  return add_sum(-run->integer(0));
}

Status Catalogue::add(const Visit& visit, std::span<const FoundLink> links,
                      const ArchivePlace& place) {
  sum_ = 0;
  if (Status s = add_page(visit, place); !s) return s;
  ++since_checkpoint_;
  if (Status s = add_links(visit, links); !s) return s;
  if (Status s = visit.document ? add_document(visit) : Status{}; !s) return s;
  return add_sum(visit.id.value);
}

Status Catalogue::add_document(const Visit& visit) {
  const Row row = document_row(visit);
  sum_ += sum_of(row, SummedTable::kDocuments);
  return insert_row(insert_document_, row);
}

Status Catalogue::add_sum(int64_t page) {
  return insert_sum_.bind(1, page).bind(2, static_cast<int64_t>(sum_)).run();
}

Status Catalogue::add(const PageRows& rows) {
  if (Status s = insert_row(insert_page_, rows.page); !s) return s;
  ++since_checkpoint_;
  if (Status s = pack_links(rows, link_list_); !s) return s;
  if (Status s = add_link_list(std::get<int64_t>(rows.page.front())); !s) return s;
  if (rows.document) {
    if (Status s = insert_row(insert_document_, *rows.document); !s) return s;
  }
  sum_ = rows.sum();
  return add_sum(std::get<int64_t>(rows.page.front()));
}

Status Catalogue::write_synced() {
  if (!synced_) return {};
  set_progress_.bind(1, int64_t{synced_->visits}).bind(2, static_cast<int64_t>(synced_->syncs));
  if (Status s = set_progress_.run(); !s) return s;
  synced_.reset();
  return {};
}

Status Catalogue::commit() {
  if (Status s = write_synced(); !s) return s;
  if (Status s = commit_.run(); !s) return s;
  return since_checkpoint_ < kVisitsPerCheckpoint ? Status{} : sync();
}

void Catalogue::undo() { (void)database_.execute("ROLLBACK"); }

Status Catalogue::add_page(const Visit& visit, const ArchivePlace& place) {
  const Response& response = visit.response;
  const Judgement& judgement = visit.judgement;
  const bool answered = response.failure == Failure::kNone;
  const auto& score = visit.candidate.score.parts();
  const auto bytes = static_cast<int64_t>(response.body.size());

  SummedRow p(insert_page_, SummedTable::kPages);
  p.bind(1, int64_t{visit.id.value}).bind(2, visit.candidate.url.href());
  p.bind(3, response.url.href()).bind(4, response.url.host());
  p.bind(5, answered ? std::optional<int64_t>(response.status) : std::nullopt);
  bind_or_null(p, 6, answered ? "" : name_of(response.failure));
  bind_or_null(p, 7, response.content_type());
  p.bind(8, bytes).bind(9, int64_t{response.truncated}).bind(10, to_iso8601(response.fetched_at));
  p.bind(11, int64_t{visit.candidate.trail.depth});
  const auto parent = visit.candidate.trail.parent;
  p.bind(12, parent ? std::optional<int64_t>(parent->value) : std::nullopt);
  const bool seed = visit.candidate.score == Score::seed();  // its score is not a number: NULL
  for (int i = 0; i < Score::kParts; ++i) seed ? p.bind_null(13 + i) : p.bind(13 + i, score[i]);
  p.bind(17, judgement.relevance.value).bind(18, int64_t{judgement.relevant});
  bind_or_null(p, 19, judgement.label);
  bind_or_null(p, 20, reasons_json(judgement));
  bind_or_null(p, 21, visit.page.language);
  bind_or_null(p, 22, visit.page.charset);
  bind_or_null(p, 23, visit.page.title);
  bind_or_null(p, 24, place.digest);
  bind_or_null(p, 25, place.file);
  p.bind(26, place.file.empty() ? std::nullopt : std::optional<int64_t>(place.offset));
  p.bind(27, parent ? std::optional<int64_t>(visit.candidate.trail.position) : std::nullopt);
  bind_or_null(p, 28, visit.page.canonical.href());
  const auto repeated = visit.near_duplicate_of;
  p.bind(29, repeated ? std::optional<int64_t>(repeated->value) : std::nullopt);
  p.bind(30, int64_t{visit.soft_404});
  p.bind(31, judgement.relevance.value).bind(32, int64_t{judgement.relevant});
  if (Status s = p.run(); !s) return s;
  sum_ += p.sum();

  update_host_.bind(1, response.url.host()).bind(2, int64_t{visit.found()});
  update_host_.bind(3, int64_t{!response.ok()}).bind(4, bytes);
  return update_host_.run();
}

Status Catalogue::add_links(const Visit& visit, std::span<const FoundLink> links) {
  link_list_.begin(visit.response.url.href());
  for (const FoundLink& found : links) {
    LinkRow row;
    row.url = found.link->url.href();
    row.anchor = cut_text(visit.page.anchor(*found.link), kMaxAnchor);
    row.tag_path = visit.page.tag_path(*found.link);
    row.nofollow = found.link->nofollow;
    row.refused = found.refused;
    if (found.score && !std::isnan(found.score->value())) row.score = found.score->value();
    row.won = found.won;
    row.parts = found.parts;
    const auto position = static_cast<int64_t>(&found - links.data());
    sum_ += sum_of(row, visit.id.value, position);
    link_list_.add(row);
  }
  return add_link_list(visit.id.value);
}

Status Catalogue::add_link_list(int64_t page) {
  if (link_list_.empty()) return {};
  insert_link_list_.bind(1, page).bind_view(2, link_list_.base());
  insert_link_list_.bind_view(3, link_list_.paths()).bind_view(4, link_list_.links());
  return insert_link_list_.run();
}

Status Catalogue::recount_hosts() {
  return database_.execute(fmt::format("BEGIN IMMEDIATE; {} COMMIT;", kRecountHosts).c_str());
}

Status Catalogue::sync() {
  since_checkpoint_ = 0;
  // Passive: it moves what no reader still needs and waits for nobody.
  if (Status s = database_.execute("PRAGMA wal_checkpoint(PASSIVE)"); !s) return s;
  // What a reader kept from being moved is on disk when the WAL is.
  std::filesystem::path wal = path_;
  wal += "-wal";
  std::error_code failed;
  return std::filesystem::exists(wal, failed) ? sync_file(wal) : Status{};
}

Status Catalogue::cut_to(uint32_t visits, SetAside& set_aside) {
  const auto later =
      first_row(database_, fmt::format("SELECT EXISTS (SELECT 1 FROM pages WHERE id >= {0}) OR "
                                       "EXISTS (SELECT 1 FROM link_lists WHERE page >= {0})",
                                       visits));
  if (!later) return later.error();
  if ((*later)[0] == 0) return {};
  const Result<std::filesystem::path> to = set_aside.path_for("catalogue.sqlite");
  if (!to) return to.error();
  {
    // ATTACH does not make files, as the catalogue itself was opened so.
    Result<Database> aside = Database::create(*to);
    if (!aside) return aside.error();
    if (Status s =
            aside->execute(fmt::format("PRAGMA user_version = {}", kCatalogueVersion).c_str());
        !s)
      return s;
    Result<Statement> attach = database_.prepare("ATTACH ?1 AS aside");
    if (!attach) return attach.error();
    if (Status s = attach->bind(1, to->string()).run(); !s) return s;
  }
  Status copied = database_.execute(
      fmt::format("BEGIN; CREATE TABLE aside.pages AS SELECT * FROM main.pages WHERE id >= {0};"
                  "CREATE TABLE aside.links AS SELECT * FROM temp.links WHERE page >= {0};"
                  "CREATE TABLE aside.documents AS SELECT * FROM main.documents WHERE page >= {0};"
                  "COMMIT;",
                  visits)
          .c_str());
  if (!copied.ok()) undo();
  const Status detached = database_.execute("DETACH aside");
  if (!copied.ok()) return copied;
  if (!detached.ok()) return detached;
  const std::string sql = fmt::format(
      "BEGIN IMMEDIATE; DELETE FROM documents WHERE page >= {0}; DELETE FROM link_lists WHERE page "
      ">= {0}; "
      "DELETE FROM pages WHERE id >= {0}; DELETE FROM sense_pages; DELETE FROM senses; "
      "DELETE FROM sums WHERE page >= {0}; "
      "UPDATE progress SET visits_synced = MIN(visits_synced, {0}); {1} COMMIT;",
      visits, kRecountHosts);
  Status cut = database_.execute(sql.c_str());
  if (!cut.ok()) undo();
  return cut;
}

Result<std::string> Catalogue::url_of(VisitId visit) {
  const Result<bool> row = select_url_.bind(1, int64_t{visit.value}).step();
  if (!row) return row.error();
  std::string url = *row ? select_url_.text(0) : "";
  select_url_.reset();
  return url;
}

Status Catalogue::finish_run(Time finished) {
  Result<Statement> update =
      database_.prepare("UPDATE runs SET finished_at = ?1 WHERE id = (SELECT MAX(id) FROM runs)");
  if (!update) return update.error();
  update->bind(1, to_iso8601(finished));
  if (Status s = change_run(*update); !s) return s;
  return sync();
}

}  // namespace dowser
