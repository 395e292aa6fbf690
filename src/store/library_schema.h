#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// The tables of a library. docs/formats.md describes them.

namespace dowser {

inline constexpr int kLibraryVersion = 4;
// PRAGMA application_id: "Dwsr" as a number. A file with another one is not ours.
inline constexpr int64_t kLibraryApplication = 0x44777372;

// A host with its labels from the last to the first, a dot behind each: "org.a.www." All hosts
// below a domain begin with the key of the domain.
inline std::string domain_key(std::string_view host) {
  std::string key;
  while (true) {
    const size_t dot = host.rfind('.');
    key += host.substr(dot + 1);  // all of it if there is no dot
    key += '.';
    if (dot == host.npos) return key;
    host = host.substr(0, dot);
  }
}

// ?20 is the id of the page in the catalogue.
inline constexpr char kInsertItem[] = R"sql(
INSERT INTO items VALUES (
  ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
)sql";

inline constexpr char kLibrarySchema[] = R"sql(
PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; PRAGMA user_version = 4;
PRAGMA application_id = 1148679026;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE items (
  id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, host TEXT NOT NULL, kind TEXT NOT NULL,
  format TEXT NOT NULL, title TEXT NOT NULL, authors TEXT NOT NULL, abstract TEXT NOT NULL,
  keywords TEXT NOT NULL, language TEXT NOT NULL, year INTEGER, "references" INTEGER NOT NULL,
  relevance REAL, relevant INTEGER NOT NULL, is_copy INTEGER NOT NULL, fetched_at TEXT NOT NULL,
  length INTEGER NOT NULL, archive_file TEXT NOT NULL, archive_offset INTEGER NOT NULL,
  page INTEGER, domain TEXT NOT NULL);
CREATE INDEX items_length ON items(length);
CREATE INDEX items_order ON items(relevance, "references", year);
CREATE INDEX items_domain ON items(domain);
CREATE INDEX items_copies ON items(id) WHERE is_copy;
CREATE INDEX items_page ON items(page);
CREATE VIRTUAL TABLE words USING fts5 (
  title, author, abstract, keywords, text, other, url, content = '', tokenize = 'ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
CREATE TABLE count_parts (part INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
CREATE TABLE word_counts (
  part INTEGER NOT NULL, first TEXT NOT NULL, block BLOB NOT NULL, PRIMARY KEY (part, first));
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(5.0, 3.0, 2.0, 2.0, 1.0, 0.0, 1.0)');
)sql";

}  // namespace dowser
