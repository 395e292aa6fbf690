#include "mine/usage_database.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/clock.h"

namespace dowser {
namespace {

constexpr char kSchema[] = R"sql(
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA user_version = 1;
CREATE TABLE logs (
  path TEXT NOT NULL, format TEXT NOT NULL, lines INTEGER NOT NULL, cut INTEGER NOT NULL,
  broken INTEGER NOT NULL, too_long INTEGER NOT NULL, late INTEGER NOT NULL, problem TEXT);
CREATE TABLE totals (name TEXT PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE counts (
  kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL, bytes INTEGER NOT NULL);
CREATE TABLE days (
  day TEXT PRIMARY KEY, hits INTEGER NOT NULL, bytes INTEGER NOT NULL, views INTEGER NOT NULL,
  sessions INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE pages (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, url TEXT, target TEXT NOT NULL,
  hits INTEGER NOT NULL, bytes INTEGER NOT NULL,
  views INTEGER NOT NULL, inferred INTEGER NOT NULL, entries INTEGER NOT NULL,
  exits INTEGER NOT NULL, single INTEGER NOT NULL, seconds INTEGER NOT NULL,
  timed INTEGER NOT NULL,
  title TEXT, language TEXT, label TEXT, relevance REAL, relevant INTEGER);
CREATE TABLE users (
  id INTEGER PRIMARY KEY, host TEXT, agent TEXT, browser TEXT, system TEXT,
  first_at TEXT NOT NULL, last_at TEXT NOT NULL, sessions INTEGER NOT NULL,
  views INTEGER NOT NULL, identified INTEGER NOT NULL);
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY, user INTEGER NOT NULL REFERENCES users(id), started_at TEXT NOT NULL,
  seconds INTEGER NOT NULL, requests INTEGER NOT NULL, views INTEGER NOT NULL,
  source TEXT NOT NULL, referrer TEXT);
CREATE TABLE views (
  session INTEGER NOT NULL REFERENCES sessions(id), position INTEGER NOT NULL,
  page INTEGER NOT NULL REFERENCES pages(id), at TEXT,
  PRIMARY KEY (session, position)) WITHOUT ROWID;
CREATE TABLE event_names (id INTEGER PRIMARY KEY, name TEXT NOT NULL, pattern TEXT NOT NULL);
CREATE TABLE events (
  session INTEGER NOT NULL REFERENCES sessions(id), position INTEGER NOT NULL,
  event INTEGER NOT NULL REFERENCES event_names(id));
CREATE TABLE patterns (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, support INTEGER NOT NULL, confidence REAL,
  lift REAL);
CREATE TABLE pattern_pages (
  pattern INTEGER NOT NULL REFERENCES patterns(id), position INTEGER NOT NULL,
  page INTEGER NOT NULL REFERENCES pages(id),
  PRIMARY KEY (pattern, position)) WITHOUT ROWID;
CREATE TABLE clusters (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, size INTEGER NOT NULL);
CREATE TABLE cluster_pages (
  cluster INTEGER NOT NULL REFERENCES clusters(id), page INTEGER NOT NULL REFERENCES pages(id),
  strength REAL NOT NULL);
CREATE VIEW conversion AS
  SELECT source, event_names.name AS event, COUNT(DISTINCT sessions.id) AS sessions,
    COUNT(DISTINCT events.session) AS converted
  FROM event_names CROSS JOIN sessions
  LEFT JOIN events ON events.session = sessions.id AND events.event = event_names.id
  GROUP BY source, event_names.id;
BEGIN;
)sql";

std::string iso(int64_t seconds) { return to_iso8601(Time{seconds * 1'000'000}); }

// A number of SQLite is signed.
int64_t number(uint64_t value) { return static_cast<int64_t>(value); }

void bind_or_null(Statement& s, int index, std::string_view text) {
  text.empty() ? s.bind_null(index) : s.bind(index, text);
}

// The error of a disk that is full says "catalogue"; here it is another file.
Error about_this_file(const std::filesystem::path& path, const Error& error) {
  const size_t colon = error.message.find(": ");
  return {fmt::format("cannot write {}{}", path.string(),
                      colon == std::string::npos ? "" : error.message.substr(colon))};
}

std::filesystem::path unfinished_name(std::filesystem::path path) { return path += ".new"; }

}  // namespace

UsageDatabase::UsageDatabase(std::filesystem::path path, Database database,
                             std::vector<Statement> statements)
    : path_(std::move(path)),
      unfinished_(std::make_unique<bool>(true)),
      database_(std::move(database)),
      insert_session_(std::move(statements[0])),
      insert_view_(std::move(statements[1])),
      insert_event_(std::move(statements[2])) {}

UsageDatabase::~UsageDatabase() {
  if (!unfinished_ || !*unfinished_) return;
  std::error_code ignored;
  std::filesystem::remove(unfinished_name(path_), ignored);
}

Result<UsageDatabase> UsageDatabase::create(const std::filesystem::path& path) {
  const std::filesystem::path file = unfinished_name(path);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);  // of a run that was killed
  Result<Database> database = Database::create(file);
  if (!database) return database.error();
  if (Status s = database->execute(kSchema); !s) return about_this_file(path, s.error());
  std::vector<Statement> statements;
  for (const char* sql :
       {"INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        "INSERT INTO views VALUES (?1, ?2, ?3, ?4)", "INSERT INTO events VALUES (?1, ?2, ?3)"}) {
    Result<Statement> statement = database->prepare(sql);
    if (!statement) return about_this_file(path, statement.error());
    statements.push_back(std::move(*statement));
  }
  return UsageDatabase(path, std::move(*database), std::move(statements));
}

Status UsageDatabase::add(const UsageSession& session, std::string_view source,
                          std::string_view referrer) {
  const int64_t id = sessions_++;
  int64_t requests = 0, last = session.start();
  for (size_t i = 0; i < session.views.size(); ++i) {
    const SessionView& view = session.views[i];
    const auto position = static_cast<int64_t>(i);
    insert_view_.bind(1, id).bind(2, position).bind(3, int64_t{view.page});
    if (view.inferred) {
      insert_view_.bind_null(4);
    } else {
      insert_view_.bind(4, iso(view.time));
      last = view.time;
      ++requests;
    }
    if (Status s = insert_view_.run(); !s) return about_this_file(path_, s.error());
    for (uint32_t events = view.events, e = 0; events != 0; events >>= 1, ++e) {
      if ((events & 1) == 0) continue;
      insert_event_.bind(1, id).bind(2, position).bind(3, int64_t{e});
      if (Status s = insert_event_.run(); !s) return about_this_file(path_, s.error());
    }
  }
  insert_session_.bind(1, id).bind(2, number(session.user)).bind(3, iso(session.start()));
  insert_session_.bind(4, last - session.start()).bind(5, requests);
  insert_session_.bind(6, static_cast<int64_t>(session.views.size())).bind(7, source);
  bind_or_null(insert_session_, 8, referrer);
  Status s = insert_session_.run();
  return s ? s : about_this_file(path_, s.error());
}

Status UsageDatabase::add_pages(const UsageResult& result, const HitCounter& hits,
                                const SessionCounter& sessions) {
  Result<Statement> insert = prepare(
      "INSERT INTO pages VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, "
      "?16, ?17, ?18)");
  if (!insert) return insert.error();
  std::vector<Tally> tallies(hits.pages().size());
  for (uint32_t t = 0; t < hits.target_tallies.size(); ++t) {
    const uint32_t page = hits.target(t).page;
    if (page == kNoPage) continue;
    tallies[page].hits += hits.target_tallies[t].hits;
    tallies[page].bytes += hits.target_tallies[t].bytes;
  }
  for (uint32_t p = 0; p < tallies.size(); ++p) {
    const PageTally tally = p < sessions.pages.size() ? sessions.pages[p] : PageTally{};
    insert->bind(1, int64_t{p}).bind(2, hits.pages().name(p));
    bind_or_null(*insert, 3, page_address(result.site, hits.pages(), p));
    insert->bind(4, printable(hits.pages().target(p)));
    int column = 5;
    for (const uint64_t value :
         {tallies[p].hits, tallies[p].bytes, tally.views, tally.inferred, tally.entries,
          tally.exits, tally.single, tally.seconds, tally.timed}) {
      insert->bind(column++, number(value));
    }
    if (p < result.catalogue.size() && result.catalogue[p]) {
      const CatalogueEntry& entry = *result.catalogue[p];
      bind_or_null(*insert, 14, entry.title);
      bind_or_null(*insert, 15, entry.language);
      bind_or_null(*insert, 16, entry.label);
      insert->bind(17, entry.relevance).bind(18, int64_t{entry.relevant});
    } else {
      for (column = 14; column <= 18; ++column) insert->bind_null(column);
    }
    if (Status s = insert->run(); !s) return s;
  }
  return {};
}

Status UsageDatabase::add_users(const UsageResult&, const HitCounter& hits) {
  Result<Statement> insert =
      prepare("INSERT INTO users VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
  if (!insert) return insert.error();
  // In the order of their numbers, so that a run repeats.
  std::vector<uint64_t> ids;
  for (const auto& [id, user] : hits.users) {
    if (user.sessions > 0) ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end(), [](uint64_t a, uint64_t b) { return number(a) < number(b); });
  for (const uint64_t id : ids) {
    const UserTally& user = hits.users.at(id);
    insert->bind(1, number(id));
    bind_or_null(*insert, 2,
                 user.host == StringTable::kNone ? "" : printable(hits.hosts.text(user.host)));
    const bool known = user.agent != StringTable::kNone;
    bind_or_null(*insert, 3, known ? printable(hits.agents.text(user.agent)) : "");
    bind_or_null(*insert, 4, known ? hits.agent(user.agent).browser : "");
    bind_or_null(*insert, 5, known ? hits.agent(user.agent).system : "");
    insert->bind(6, iso(user.first)).bind(7, iso(user.last)).bind(8, int64_t{user.sessions});
    insert->bind(9, int64_t{user.views}).bind(10, int64_t{user.identified});
    if (Status s = insert->run(); !s) return s;
  }
  return {};
}

Status UsageDatabase::add_counts(const UsageResult& result) {
  Result<Statement> insert = prepare("INSERT INTO counts VALUES (?1, ?2, ?3, ?4)");
  if (!insert) return insert.error();
  for (const UsageTable& table : result.tables) {
    for (const UsageCount& row : table.rows) {
      insert->bind(1, table.key).bind(2, row.name).bind(3, number(row.count));
      insert->bind(4, number(row.bytes));
      if (Status s = insert->run(); !s) return s;
    }
  }
  Result<Statement> day = prepare("INSERT INTO days VALUES (?1, ?2, ?3, ?4, ?5)");
  if (!day) return day.error();
  for (const UsageDay& one : result.days) {
    day->bind(1, one.day).bind(2, number(one.tally.hits)).bind(3, number(one.tally.bytes));
    day->bind(4, number(one.tally.views)).bind(5, number(one.tally.sessions));
    if (Status s = day->run(); !s) return s;
  }
  Result<Statement> log = prepare("INSERT INTO logs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
  if (!log) return log.error();
  for (const LogTally& one : result.logs) {
    log->bind(1, one.path).bind(2, one.format);
    int column = 3;
    for (const uint64_t value : {one.lines, one.cut, one.broken, one.too_long, one.late}) {
      log->bind(column++, number(value));
    }
    bind_or_null(*log, 8, one.problem);
    if (Status s = log->run(); !s) return s;
  }
  Result<Statement> total = prepare("INSERT INTO totals VALUES (?1, ?2)");
  if (!total) return total.error();
  for (const auto& [name, value] : usage_totals(result)) {
    total->bind(1, name).bind(2, value);
    if (Status s = total->run(); !s) return s;
  }
  return {};
}

Status UsageDatabase::add_pattern(std::string_view kind, const std::vector<uint32_t>& pages,
                                  size_t support, double confidence, double lift) {
  Result<Statement> insert = prepare("INSERT INTO patterns VALUES (?1, ?2, ?3, ?4, ?5)");
  if (!insert) return insert.error();
  const int64_t id = patterns_++;
  insert->bind(1, id).bind(2, kind).bind(3, static_cast<int64_t>(support));
  confidence > 0 ? insert->bind(4, confidence) : insert->bind_null(4);
  lift > 0 ? insert->bind(5, lift) : insert->bind_null(5);
  if (Status s = insert->run(); !s) return s;
  Result<Statement> page = prepare("INSERT INTO pattern_pages VALUES (?1, ?2, ?3)");
  if (!page) return page.error();
  for (size_t i = 0; i < pages.size(); ++i) {
    page->bind(1, id).bind(2, static_cast<int64_t>(i)).bind(3, int64_t{pages[i]});
    if (Status s = page->run(); !s) return s;
  }
  return {};
}

Status UsageDatabase::add_clusters(std::string_view kind,
                                   const std::vector<UsageCluster>& clusters) {
  Result<Statement> insert = prepare("INSERT INTO clusters VALUES (?1, ?2, ?3)");
  if (!insert) return insert.error();
  Result<Statement> page = prepare("INSERT INTO cluster_pages VALUES (?1, ?2, ?3)");
  if (!page) return page.error();
  for (const UsageCluster& cluster : clusters) {
    const int64_t id = clusters_++;
    insert->bind(1, id).bind(2, kind).bind(3, static_cast<int64_t>(cluster.size));
    if (Status s = insert->run(); !s) return s;
    for (size_t i = 0; i < cluster.pages.size(); ++i) {
      page->bind(1, id).bind(2, int64_t{cluster.pages[i]}).bind(3, cluster.strengths[i]);
      if (Status s = page->run(); !s) return s;
    }
  }
  return {};
}

Status UsageDatabase::add_patterns(const UsagePatterns& patterns) {
  for (const FrequentSet& set : patterns.sets) {
    if (Status s = add_pattern("set", set.items, set.support, 0, 0); !s) return s;
  }
  for (const AssociationRule& rule : patterns.rules) {
    std::vector<uint32_t> pages = rule.given;
    pages.push_back(rule.then);  // the last one is what follows
    if (Status s = add_pattern("rule", pages, rule.support, rule.confidence, rule.lift); !s) {
      return s;
    }
  }
  for (const SequentialPattern& sequence : patterns.sequences) {
    if (Status s = add_pattern("sequence", sequence.items, sequence.support, 0, 0); !s) return s;
  }
  for (const SequentialPattern& path : patterns.paths) {
    if (Status s = add_pattern("path", path.items, path.support, 0, 0); !s) return s;
  }
  if (Status s = add_clusters("sessions", patterns.session_clusters); !s) return s;
  return add_clusters("pages", patterns.page_clusters);
}

Status UsageDatabase::add(const UsageResult& result, const HitCounter& hits,
                          const SessionCounter& sessions) {
  Result<Statement> event = prepare("INSERT INTO event_names VALUES (?1, ?2, ?3)");
  if (!event) return about_this_file(path_, event.error());
  const auto& events = hits.pages().options().events;
  for (size_t i = 0; i < events.size(); ++i) {
    event->bind(1, static_cast<int64_t>(i)).bind(2, events[i].name).bind(3, events[i].pattern);
    if (Status s = event->run(); !s) return about_this_file(path_, s.error());
  }
  Status s = add_pages(result, hits, sessions);
  if (s) s = add_users(result, hits);
  if (s) s = add_counts(result);
  if (s) s = add_patterns(result.patterns);
  if (!s) return about_this_file(path_, s.error());
  return {};
}

Status UsageDatabase::finish() {
  constexpr char kEnd[] =
      "COMMIT; CREATE INDEX views_page ON views(page); CREATE INDEX sessions_user ON "
      "sessions(user); CREATE INDEX events_session ON events(session, event);";
  if (Status s = database_.execute(kEnd); !s) return about_this_file(path_, s.error());
  std::error_code failed;
  std::filesystem::rename(unfinished_name(path_), path_, failed);
  if (failed) return Error{fmt::format("cannot write {}: {}", path_.string(), failed.message())};
  *unfinished_ = false;
  return {};
}

}  // namespace dowser
