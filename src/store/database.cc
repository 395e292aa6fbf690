#include "store/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <utility>

#include "base/new_file.h"
#include "store/link_table.h"
#include "text/printable.h"

namespace dowser {
namespace {

// How long a lock of another process is waited for.
constexpr int kBusyMilliseconds = 5'000;

// What SQLite says may quote the file, which may be damaged or made by somebody else.
Error cannot_open(const std::filesystem::path& path, sqlite3* db) {
  return {fmt::format("cannot open {}: {}", path.string(),
                      db ? printable(sqlite3_errmsg(db)) : "out of memory")};
}

Error cannot_use(std::string_view why) {
  return {"the catalogue cannot be used: " + printable(why)};
}

std::string immutable_uri(const std::filesystem::path& path) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    if (c == '%' || c == '?' || c == '#') {
      fmt::format_to(std::back_inserter(uri), "%{:02X}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

Statement::Statement(Statement&& other) noexcept
    : db_(other.db_),
      statement_(std::exchange(other.statement_, nullptr)),
      bind_failed_(other.bind_failed_) {}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bound(int code) {
  if (bind_failed_ == SQLITE_OK) bind_failed_ = code;
  return *this;
}

Statement& Statement::bind(int index, int64_t value) {
  return bound(sqlite3_bind_int64(statement_, index, value));
}

Statement& Statement::bind(int index, double value) {
  return bound(sqlite3_bind_double(statement_, index, value));
}

Statement& Statement::bind(int index, std::string_view value) {
  // An empty view may have no address, and SQLite reads a null address as NULL.
  return bound(sqlite3_bind_text64(statement_, index, value.empty() ? "" : value.data(),
                                   value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

Statement& Statement::bind_view(int index, std::string_view value) {
  return bound(sqlite3_bind_text64(statement_, index, value.empty() ? "" : value.data(),
                                   value.size(), SQLITE_STATIC, SQLITE_UTF8));
}

Statement& Statement::bind_blob_view(int index, std::string_view value) {
  return bound(sqlite3_bind_blob64(statement_, index, value.empty() ? "" : value.data(),
                                   value.size(), SQLITE_STATIC));
}

Statement& Statement::bind_null(int index) { return bound(sqlite3_bind_null(statement_, index)); }

Statement& Statement::bind(int index, std::optional<int64_t> value) {
  return value ? bind(index, *value) : bind_null(index);
}

Result<bool> Statement::step() {
  if (const int failed = std::exchange(bind_failed_, SQLITE_OK); failed != SQLITE_OK) {
    return cannot_use(sqlite3_errstr(failed));
  }
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement_);
    return false;
  }
  // The message belongs to the failed step: take it before the reset.
  const std::string message = sqlite3_errmsg(db_);
  sqlite3_reset(statement_);
  return cannot_use(message);
}

Status Statement::run() {
  const Result<bool> row = step();
  if (!row) return row.error();
  if (*row) reset();
  return {};
}

void Statement::reset() { sqlite3_reset(statement_); }

int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_, column); }
bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}
bool Statement::is_number(int column) const {
  const int type = sqlite3_column_type(statement_, column);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}
bool Statement::is_integer(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_INTEGER;
}
bool Statement::is_blob(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_BLOB;
}
int Statement::columns() const { return sqlite3_column_count(statement_); }
std::string Statement::column_name(int column) const {
  return sqlite3_column_name(statement_, column);
}

std::string_view Statement::view(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_, column));
  return bytes ? std::string_view(bytes, size) : std::string_view();
}

std::string_view Statement::blob_view(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_, column));
  return bytes ? std::string_view(bytes, size) : std::string_view();
}

std::string Statement::text(int column) const { return std::string(view(column)); }

void Database::Close::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

Result<Database> Database::open_with(const std::filesystem::path& path, int flags, bool immutable) {
  // SQLite would wait for what comes out of a pipe.
  std::error_code failed;
  if (const auto about = std::filesystem::status(path, failed);
      std::filesystem::exists(about) && !std::filesystem::is_regular_file(about)) {
    return Error{fmt::format("cannot open {}: it is not a file", path.string())};
  }
  sqlite3* raw = nullptr;
  const std::string name = immutable ? immutable_uri(path) : path.string();
  if (immutable) flags |= SQLITE_OPEN_URI;
  const int code = sqlite3_open_v2(name.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database;
  database.db_.reset(raw);
  if (code != SQLITE_OK) return cannot_open(path, raw);
  sqlite3_busy_timeout(raw, kBusyMilliseconds);
  return database;
}

void Database::set_patience(std::chrono::milliseconds patience) {
  sqlite3_busy_timeout(db_.get(), static_cast<int>(patience.count()));
}

Result<Database> Database::create(const std::filesystem::path& path) {
  if (Status s = is_no_link(path); !s) return s.error();
  return open_with(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

Result<Database> Database::open_for_writing(const std::filesystem::path& path) {
  if (Status s = is_no_link(path); !s) return s.error();
  return open_with(path, SQLITE_OPEN_READWRITE);
}

Result<Database> Database::open(const std::filesystem::path& path) {
  std::filesystem::path wal = path;
  wal += "-wal";
  std::error_code failed;
  const bool is_whole =
      !std::filesystem::exists(wal, failed) || std::filesystem::file_size(wal, failed) == 0;
  // SQLite removes the -wal of an empty file, even when it only reads.
  if (!is_whole && !failed && std::filesystem::file_size(path, failed) == 0) {
    return Error{fmt::format(
        "cannot open {}: it is empty, but there is a log with changes next to it", path.string())};
  }
  // A connection that may only read leaves a -wal and a -shm behind; one that may write removes
  // them, but moves what is in the -wal into the file. So the second is used where there is nothing
  // to move.
  Result<Database> database =
      open_with(path, is_whole ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
  if (!database) return database;
  // SQLite opens the file when it is first read. A damaged one is told from a missing one later.
  int code = use_link_table(database->db_.get());
  if (code == SQLITE_OK || code == SQLITE_CORRUPT) {
    code = sqlite3_exec(database->db_.get(), "PRAGMA query_only = 1; PRAGMA schema_version",
                        nullptr, nullptr, nullptr);
  }
  if (code == SQLITE_OK) return database;
  // In WAL mode a reader needs a -shm next to the file. Where none can be made nobody writes
  // either, so the file can be read as it is, unless changes wait in a -wal.
  if ((code == SQLITE_CANTOPEN || code == SQLITE_READONLY) && is_whole) {
    Result<Database> fixed = open_with(path, SQLITE_OPEN_READONLY, true);
    if (fixed && use_link_table(fixed->db_.get()) == SQLITE_OK) return fixed;
  }
  return cannot_open(path, database->db_.get());
}

Status Database::execute(const char* sql) {
  char* message = nullptr;
  if (sqlite3_exec(db_.get(), sql, nullptr, nullptr, &message) == SQLITE_OK) return {};
  const Error error = cannot_use(message ? message : "unknown");
  sqlite3_free(message);
  return error;
}

Result<bool> Database::has_column(std::string_view table, std::string_view column) {
  Result<Statement> row = prepare("SELECT COUNT(*) FROM pragma_table_info(?1) WHERE name = ?2");
  if (!row) return row.error();
  if (const Result<bool> there = row->bind(1, table).bind(2, column).step(); !there) {
    return there.error();
  }
  return row->integer(0) > 0;
}

Status Database::unpack_links() {
  if (use_link_table(db_.get()) == SQLITE_OK) return {};
  return cannot_use(sqlite3_errmsg(db_.get()));
}

bool Database::is_damaged() const {
  const int code = sqlite3_errcode(db_.get());
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db_.get(), sql.data(), static_cast<int>(sql.size()), &statement,
                         nullptr) != SQLITE_OK) {
    return cannot_use(sqlite3_errmsg(db_.get()));
  }
  return Statement(db_.get(), statement);
}

}  // namespace dowser
