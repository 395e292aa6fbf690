#include "store/table_file.h"

namespace dowser {

const char kUsageSchema[] = R"sql(
PRAGMA user_version = 1;
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
)sql";

const char kUsageIndexes[] = R"sql(
CREATE INDEX views_page ON views(page);
CREATE INDEX sessions_user ON sessions(user);
CREATE INDEX events_session ON events(session, event);
)sql";

}  // namespace dowser
