#include "store/annotations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/search_words.h"

namespace dowser {
namespace {

constexpr int kVersion = 1;

constexpr char kSchema[] = R"sql(
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS annotations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, author TEXT NOT NULL,
  text TEXT NOT NULL, made_at TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS annotations_url ON annotations(url);
CREATE VIRTUAL TABLE IF NOT EXISTS annotation_words USING fts5 (words, tokenize = 'ascii');
PRAGMA user_version = 1;
COMMIT;
)sql";

Result<int64_t> version_of(Database& database) {
  Result<Statement> version = database.prepare("PRAGMA user_version");
  if (!version) return version.error();
  const Result<bool> row = version->step();
  if (!row) return row.error();
  return version->integer(0);
}

// Whether somebody else made the file: it has tables, and none of them is ours.
Result<bool> is_foreign(Database& database) {
  Result<Statement> tables =
      database.prepare("SELECT COUNT(*) > 0 AND SUM(name = 'annotations') = 0 FROM sqlite_master");
  if (!tables) return tables.error();
  const Result<bool> row = tables->step();
  if (!row) return row.error();
  return tables->integer(0) != 0;
}

// Takes a change back unless it is committed.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) {}
  ~Transaction() {
    if (is_open_) (void)database_.execute("ROLLBACK");
  }
  Status begin() {
    Status begun = database_.execute("BEGIN IMMEDIATE");
    is_open_ = begun.ok();
    return begun;
  }
  Status commit() {
    Status done = database_.execute("COMMIT");
    is_open_ = !done.ok();
    return done;
  }

 private:
  Database& database_;
  bool is_open_ = false;
};

Error unopened(const std::filesystem::path& path, const Error& error) {
  std::error_code failed;
  const bool is_there = std::filesystem::exists(std::filesystem::symlink_status(path, failed));
  const bool has_advice = error.message.find("symbolic link") != std::string::npos;
  return {error.message + (is_there && !has_advice ? "; move it away to begin a new one" : "")};
}

}  // namespace

Error Annotations::about(const Error& error) const {
  const size_t colon = error.message.find(": ");
  return {fmt::format("the annotations in {} cannot be used{}{}", path_.string(),
                      colon == std::string::npos ? "" : error.message.substr(colon),
                      database_.is_damaged() ? "; move the file away to begin a new one" : "")};
}

Result<Annotations> Annotations::create(const std::filesystem::path& path) {
  Result<Database> database = Database::create(path);
  if (!database) return unopened(path, database.error());
  Annotations annotations(path, std::move(*database));
  const Result<int64_t> version = version_of(annotations.database_);
  if (!version) return annotations.about(version.error());
  const Result<bool> foreign = is_foreign(annotations.database_);
  if (!foreign) return annotations.about(foreign.error());
  if (*foreign) return annotations.about({"it: it belongs to another program: move it away"});
  if (*version == kVersion) return annotations;
  if (*version != 0) return annotations.about({"it: was made by a newer version of Dowser"});
  if (Status s = annotations.database_.execute(kSchema); !s) return annotations.about(s.error());
  return annotations;
}

Result<std::optional<Annotations>> Annotations::open(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed) && !failed) return std::optional<Annotations>();
  Result<Database> database = Database::open(path);
  if (!database) return unopened(path, database.error());
  Annotations annotations(path, std::move(*database));
  const Result<int64_t> version = version_of(annotations.database_);
  if (!version) return annotations.about(version.error());
  // Killed before the tables were made.
  if (*version == 0) return std::optional<Annotations>();
  if (*version != kVersion) return annotations.about({"it: was made by a newer version of Dowser"});
  return std::optional(std::move(annotations));
}

Status Annotations::run(std::string_view sql, int64_t id, std::string_view words) {
  Result<Statement> change = database_.prepare(sql);
  if (!change) return about(change.error());
  change->bind(1, id);
  if (!words.empty()) change->bind(2, words);
  if (Status s = change->run(); !s) return about(s.error());
  return {};
}

Result<int64_t> Annotations::add(const Annotation& annotation) {
  std::string words;
  append_search_words(annotation.text, words);
  words += "\u00b6 ";  // no phrase reaches from the text into the name
  append_search_words(annotation.author, words);
  Transaction transaction(database_);
  if (Status s = transaction.begin(); !s) return about(s.error());
  Result<Statement> row = database_.prepare(
      "INSERT INTO annotations (url, author, text, made_at) VALUES (?1, ?2, ?3, ?4) RETURNING id");
  if (!row) return about(row.error());
  row->bind(1, std::string_view(annotation.url))
      .bind(2, std::string_view(annotation.author))
      .bind(3, std::string_view(annotation.text))
      .bind(4, std::string_view(annotation.made_at));
  const Result<bool> added = row->step();
  if (!added) return about(added.error());
  const int64_t id = row->integer(0);
  row->reset();
  if (Status s = run("INSERT INTO annotation_words (rowid, words) VALUES (?1, ?2)", id, words);
      !s) {
    return s.error();
  }
  if (Status s = transaction.commit(); !s) return about(s.error());
  return id;
}

Result<bool> Annotations::remove(int64_t id) {
  Transaction transaction(database_);
  if (Status s = transaction.begin(); !s) return about(s.error());
  Result<Statement> row = database_.prepare("SELECT 1 FROM annotations WHERE id = ?1");
  if (!row) return about(row.error());
  const Result<bool> found = row->bind(1, id).step();
  if (!found) return about(found.error());
  if (!*found) return false;
  row->reset();
  if (Status s = run("DELETE FROM annotations WHERE id = ?1", id); !s) return s.error();
  if (Status s = run("DELETE FROM annotation_words WHERE rowid = ?1", id); !s) return s.error();
  if (Status s = transaction.commit(); !s) return about(s.error());
  return true;
}

Result<std::vector<Annotation>> Annotations::list(std::string_view url) {
  Result<Statement> rows = database_.prepare(
      "SELECT id, url, author, text, made_at FROM annotations WHERE ?1 = '' OR url = ?1 "
      "ORDER BY id");
  if (!rows) return about(rows.error());
  rows->bind(1, url);
  std::vector<Annotation> list;
  const Status read = rows->for_each([&](const Statement& r) {
    list.push_back({r.integer(0), r.text(1), r.text(2), r.text(3), r.text(4)});
  });
  if (!read) return about(read.error());
  return list;
}

Result<std::vector<std::string>> Annotations::urls_with(const std::vector<std::string>& words,
                                                        bool is_prefix) {
  Result<Statement> rows = database_.prepare(
      "SELECT DISTINCT url FROM annotation_words JOIN annotations ON id = annotation_words.rowid "
      "WHERE annotation_words MATCH ?1");
  if (!rows) return about(rows.error());
  rows->bind(1, fmt::format("\"{}\"{}", fmt::join(words, " "), is_prefix ? " *" : ""));
  std::vector<std::string> urls;
  const Status read = rows->for_each([&](const Statement& r) { urls.push_back(r.text(0)); });
  if (!read) return about(read.error());
  return urls;
}

}  // namespace dowser
