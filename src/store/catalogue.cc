#include "store/catalogue.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace dowser {
namespace {

// Version 1. Names are the project's vocabulary; a column that may be absent is NULL, never a magic
// value.
constexpr char kSchema[] = R"sql(
PRAGMA user_version = 1;
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
  near_duplicate_of INTEGER REFERENCES pages(id),
  archive_file TEXT, archive_offset INTEGER);
CREATE TABLE links (
  page INTEGER NOT NULL REFERENCES pages(id), position INTEGER NOT NULL, url TEXT NOT NULL,
  anchor TEXT, tag_path TEXT, nofollow INTEGER NOT NULL, score REAL, won INTEGER NOT NULL,
  parts TEXT,
  PRIMARY KEY (page, position)) WITHOUT ROWID;
CREATE TABLE hosts (
  host TEXT PRIMARY KEY, pages INTEGER NOT NULL, relevant INTEGER NOT NULL, failed INTEGER NOT NULL,
  bytes INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX pages_final_url ON pages(final_url);
)sql";

constexpr std::string_view kInsertPage = R"sql(
INSERT INTO pages (id, url, final_url, host, status, failure, content_type, bytes, truncated,
  fetched_at, depth, parent, score, score_2, score_3, score_4, relevance, relevant, label, reasons,
  language, charset, title, digest, archive_file, archive_offset, parent_link)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
  ?21, ?22, ?23, ?24, ?25, ?26, ?27))sql";

constexpr std::string_view kInsertLink = R"sql(
INSERT INTO links (page, position, url, anchor, tag_path, nofollow, score, won, parts)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9))sql";

constexpr std::string_view kUpdateHost = R"sql(
INSERT INTO hosts (host, pages, relevant, failed, bytes) VALUES (?1, 1, ?2, ?3, ?4)
ON CONFLICT (host) DO UPDATE SET pages = pages + 1, relevant = relevant + ?2, failed = failed + ?3,
  bytes = bytes + ?4)sql";

// A transaction for each page would cost a sync each.
constexpr int kVisitsPerTransaction = 200;

void bind_or_null(Statement& s, int index, std::string_view text) {
  text.empty() ? s.bind_null(index) : s.bind(index, text);
}

std::string reasons_json(const Judgement& judgement) {
  if (judgement.reasons.empty()) return {};
  nlohmann::json list = nlohmann::json::array();
  for (const auto& reason : judgement.reasons) list.push_back({reason.word, reason.weight});
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Catalogue::Catalogue(Database database, Statement page, Statement link, Statement host)
    : database_(std::move(database)),
      insert_page_(std::move(page)),
      insert_link_(std::move(link)),
      update_host_(std::move(host)) {}

Result<Catalogue> Catalogue::create(const std::filesystem::path& path) {
  if (std::filesystem::exists(path)) {
    return Error{fmt::format("{} exists already: choose another folder", path.string())};
  }
  Result<Database> database = Database::create(path);
  if (!database) return database.error();
  if (Status s = database->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"); !s) {
    return s.error();
  }
  if (Status s = database->execute(kSchema); !s) return s.error();
  Result<Statement> page = database->prepare(kInsertPage);
  if (!page) return page.error();
  Result<Statement> link = database->prepare(kInsertLink);
  if (!link) return link.error();
  Result<Statement> host = database->prepare(kUpdateHost);
  if (!host) return host.error();
  return Catalogue(std::move(*database), std::move(*page), std::move(*link), std::move(*host));
}

Status Catalogue::add_run(std::string_view configuration, Time started) {
  Result<Statement> insert =
      database_.prepare("INSERT INTO runs (started_at, configuration) VALUES (?1, ?2)");
  if (!insert) return insert.error();
  return insert->bind(1, to_iso8601(started)).bind(2, configuration).run();
}

Status Catalogue::add(const Visit& visit, std::span<const FoundLink> links,
                      const ArchivePlace& place) {
  if (pending_++ == 0) {
    if (Status s = database_.execute("BEGIN"); !s) return s;
  }
  const Response& response = visit.response;
  const Judgement& judgement = visit.judgement;
  const bool answered = response.failure == Failure::kNone;
  const auto& score = visit.candidate.score.parts();
  const auto bytes = static_cast<int64_t>(response.body.size());

  Statement& p = insert_page_;
  p.bind(1, int64_t{visit.id.value}).bind(2, visit.candidate.url.href());
  p.bind(3, response.url.href()).bind(4, response.url.host());
  p.bind(5, answered ? std::optional<int64_t>(response.status) : std::nullopt);
  bind_or_null(p, 6, answered ? "" : name_of(response.failure));
  bind_or_null(p, 7, response.content_type());
  p.bind(8, bytes).bind(9, int64_t{response.truncated}).bind(10, to_iso8601(response.fetched_at));
  p.bind(11, int64_t{visit.candidate.trail.depth});
  const auto parent = visit.candidate.trail.parent;
  p.bind(12, parent ? std::optional<int64_t>(parent->value) : std::nullopt);
  const bool seed = visit.candidate.score == Score::seed();  // its score is no number: NULL
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
  if (Status s = p.run(); !s) return s;

  for (const FoundLink& found : links) {
    Statement& l = insert_link_;
    l.bind(1, int64_t{visit.id.value}).bind(2, int64_t{found.link->position});
    l.bind(3, found.link->url.href());
    bind_or_null(l, 4, visit.page.anchor(*found.link));
    bind_or_null(l, 5, visit.page.tag_path(*found.link));
    l.bind(6, int64_t{found.link->nofollow});
    found.score ? l.bind(7, found.score->value()) : l.bind_null(7);
    l.bind(8, int64_t{found.won});
    bind_or_null(l, 9, found.parts);
    if (Status s = l.run(); !s) return s;
  }

  update_host_.bind(1, response.url.host()).bind(2, int64_t{judgement.relevant});
  update_host_.bind(3, int64_t{!response.ok()}).bind(4, bytes);
  if (Status s = update_host_.run(); !s) return s;
  return pending_ >= kVisitsPerTransaction ? commit() : Status{};
}

Status Catalogue::commit() {
  if (pending_ == 0) return {};
  pending_ = 0;
  return database_.execute("COMMIT");
}

Status Catalogue::finish_run(Time finished) {
  if (Status s = commit(); !s) return s;
  Result<Statement> update =
      database_.prepare("UPDATE runs SET finished_at = ?1 WHERE id = (SELECT MAX(id) FROM runs)");
  if (!update) return update.error();
  if (Status s = update->bind(1, to_iso8601(finished)).run(); !s) return s;
  // One file again, so that a person can copy the catalogue without its -wal beside it.
  return database_.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;");
}

}  // namespace dowser
