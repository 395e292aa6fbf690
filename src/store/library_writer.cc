#include "store/library_writer.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <fstream>

#include "base/file.h"
#include "store/library_schema.h"

// FTS5 holds the words and nothing else: the table is "contentless", so the index is smaller than
// the text, and the text itself stays in the archive. Three decisions differ from FTS5 as it comes.
//
//   - Words are made by text/search_words.h before FTS5 sees them. FTS5 gets them separated by
//     blanks, and its `ascii` tokenizer splits them there again. So the file can be opened with
//     any SQLite, which a tokenizer of our own would prevent.
//   - Blocks are separated by the word "¶", which no text contains after our tokenizer. It takes
//     one place, so the phrase "machine learning" does not match a page with the two list items
//     "Turing machine" and "Learning theory". A mark costs about one byte of the index.
//   - Headers, footers and the template of the host have a column of their own that queries leave
//     out if they do not name it: a menu entry "Machine learning" on each page of a site says
//     nothing about these pages. A list of links that stands on one page only is content.
//
// Cost: FTS5 collects words in a hash table and writes it out when it is full, by default after
// one megabyte. Most of the time would go into merging such small parts. With 64 MB the index of
// 100,000 pages is written in a dozen parts, which are merged once at the end. A new file is
// written without a journal: if the process dies, the file under construction is worthless and
// nobody looks at it. What is appended to a library is one transaction in WAL mode, so that readers
// are never kept waiting and a killed process leaves the library as it was.

namespace dowser {
namespace {

constexpr char kSettings[] = R"sql(
INSERT INTO words (words, rank) VALUES ('hashsize', 67108864);
INSERT INTO words (words, rank) VALUES ('automerge', 0);
INSERT INTO words (words, rank) VALUES ('crisismerge', 1000);
BEGIN;
)sql";

// Of a file that is appended to: parts are merged now and then, as FTS5 does by default.
constexpr char kAppend[] = R"sql(
PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;
BEGIN IMMEDIATE;
INSERT INTO words (words, rank) VALUES ('automerge', 4);
INSERT INTO words (words, rank) VALUES ('crisismerge', 16);
)sql";

}  // namespace

struct LibraryWriter::Statements {
  Statement item, words, remove, facts, note;
};

Error about_library(const std::filesystem::path& path, const Error& error) {
  const size_t colon = error.message.find(": ");
  return {fmt::format("the library {} cannot be used{}", path.string(),
                      colon == std::string::npos ? "" : error.message.substr(colon))};
}

bool is_library(const std::filesystem::path& path) {
  // The head of an SQLite file, which is there even if a later page is damaged.
  char head[72] = {};
  std::ifstream(path, std::ios::binary).read(head, sizeof head);
  if (std::string_view(head, 16) != std::string_view("SQLite format 3\0", 16)) return false;
  int64_t application = 0;
  for (size_t i = 68; i < 72; ++i) application = application << 8 | static_cast<uint8_t>(head[i]);
  if (application == kLibraryApplication) return true;
  Result<Database> database = Database::open(path);  // one of an older version?
  if (!database) return false;
  Result<Statement> tables = database->prepare(
      "SELECT COUNT(*) FROM sqlite_master WHERE name IN ('meta', 'items', 'words', 'count_parts')");
  const Result<bool> row = tables ? tables->step() : Result<bool>(tables.error());
  return row && *row && tables->integer(0) == 4;
}

LibraryWriter::LibraryWriter(std::filesystem::path path, std::optional<UnfinishedFile> new_file)
    : path_(std::move(path)),
      new_file_(std::move(new_file)),
      counts_(std::make_unique<WordCountsWriter>()) {}
LibraryWriter::LibraryWriter(LibraryWriter&&) noexcept = default;

Error LibraryWriter::about(const Error& error) const { return about_library(path_, error); }

Status LibraryWriter::prepare(Database database) {
  database_ = std::move(database);
  Result<Statement> last = database_->prepare("SELECT COALESCE(MAX(id), 0) FROM items");
  if (!last) return about(last.error());
  const Result<bool> row = last->step();
  if (!row) return about(row.error());
  last_id_ = last->integer(0);
  const auto prepared = [&](std::string_view sql) { return database_->prepare(sql); };
  Result<Statement> item = prepared(kInsertItem);
  if (!item) return about(item.error());
  Result<Statement> words = prepared(
      "INSERT INTO words (rowid, title, author, abstract, keywords, text, other, url) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
  if (!words) return about(words.error());
  Result<Statement> remove = prepared("DELETE FROM items WHERE url = ?1");
  if (!remove) return about(remove.error());
  Result<Statement> facts = prepared(
      "UPDATE items SET relevance = ?2, relevant = ?3, \"references\" = ?4 WHERE page = ?1");
  if (!facts) return about(facts.error());
  Result<Statement> note = prepared("INSERT OR REPLACE INTO meta VALUES (?1, ?2)");
  if (!note) return about(note.error());
  statements_ = std::make_unique<Statements>(Statements{std::move(*item), std::move(*words),
                                                        std::move(*remove), std::move(*facts),
                                                        std::move(*note)});
  return {};
}

Result<LibraryWriter> LibraryWriter::create(const std::filesystem::path& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && status.st_size > 0 && !is_library(path)) {
    return Error{
        fmt::format("{} exists already, and is not a library: name another file", path.string())};
  }
  Result<UnfinishedFile> file = UnfinishedFile::create(path, Owner::kCrawl);
  if (!file) return file.error();
  Result<Database> database = Database::create(file->path());
  if (!database) return database.error();
  LibraryWriter writer(path, std::move(*file));
  for (const char* sql : {kLibrarySchema, kSettings}) {
    if (Status s = database->execute(sql); !s) return about_library(path, s.error());
  }
  if (Status s = writer.prepare(std::move(*database)); !s) return s.error();
  return writer;
}

Result<LibraryWriter> LibraryWriter::append(const std::filesystem::path& path) {
  Result<Database> database = Database::open_for_writing(path);
  if (!database) return database.error();
  if (Status s = database->execute(kAppend); !s) return about_library(path, s.error());
  LibraryWriter writer(path, std::nullopt);
  if (Status s = writer.prepare(std::move(*database)); !s) return s.error();
  return writer;
}

LibraryWriter::~LibraryWriter() {
  if (!database_) return;
  statements_.reset();
  database_.reset();  // rolls back; then the new file is removed
}

Status LibraryWriter::add(const IndexText& text) {
  const LibraryItem& item = text.item;
  const int64_t id = ++last_id_;
  ++added_;
  const auto year = item.year ? std::optional<int64_t>(*item.year) : std::nullopt;
  Statement& row = statements_->item;
  row.bind(1, id)
      .bind_view(2, item.url)
      .bind_view(3, item.host)
      .bind_view(4, item.kind)
      .bind_view(5, item.format)
      .bind_view(6, item.title)
      .bind_view(7, item.authors)
      .bind_view(8, item.abstract)
      .bind_view(9, item.keywords)
      .bind_view(10, item.language)
      .bind(11, year)
      .bind(12, static_cast<int64_t>(item.references))
      .bind(14, int64_t{item.relevant})
      .bind(15, int64_t{item.is_copy})
      .bind_view(16, item.fetched_at)
      .bind(17, int64_t{item.length})
      .bind_view(18, item.archive_file)
      .bind(19, static_cast<int64_t>(item.archive_offset))
      .bind(20, item.page)
      .bind(21, std::string_view(domain_key(item.host)));
  if (item.relevance) {
    row.bind(13, *item.relevance);
  } else {
    row.bind_null(13);
  }
  if (Status s = row.run(); !s) return about(s.error());
  statements_->words.bind(1, id)
      .bind_view(2, text.title)
      .bind_view(3, text.author)
      .bind_view(4, text.abstract)
      .bind_view(5, text.keywords)
      .bind_view(6, text.text)
      .bind_view(7, text.other)
      .bind_view(8, text.url);
  if (Status s = statements_->words.run(); !s) return about(s.error());
  if (Status s = counts_->add(*database_, id, text); !s) return about(s.error());
  return {};
}

Status LibraryWriter::remove(std::string_view url) {
  if (Status s = statements_->remove.bind(1, url).run(); !s) return about(s.error());
  return {};
}

Status LibraryWriter::set_facts(const CatalogueFacts& facts) {
  Statement& update = statements_->facts.bind(1, facts.page)
                          .bind(2, facts.relevance)
                          .bind(3, int64_t{facts.relevant})
                          .bind(4, static_cast<int64_t>(facts.references));
  if (Status s = update.run(); !s) return about(s.error());
  return {};
}

Status LibraryWriter::set_note(std::string_view name, std::string_view value) {
  if (Status s = statements_->note.bind(1, name).bind(2, value).run(); !s) return about(s.error());
  return {};
}

Status LibraryWriter::finish() {
  const bool is_new = new_file_.has_value();
  if (Status s = counts_->finish(*database_); !s) return about(s.error());
  const Status written =
      database_->execute(is_new ? "INSERT INTO words (words) VALUES ('optimize'); COMMIT; ANALYZE;"
                                  "PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL;"
                                : "COMMIT;");
  if (!written) return about(written.error());
  statements_.reset();
  database_.reset();
  return is_new ? new_file_->publish() : Status{};
}

}  // namespace dowser
