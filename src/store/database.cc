#include "store/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <utility>

namespace dowser {

Statement::Statement(Statement&& other) noexcept
    : db_(other.db_), statement_(std::exchange(other.statement_, nullptr)) {}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(int index, int64_t value) {
  sqlite3_bind_int64(statement_, index, value);
  return *this;
}

Statement& Statement::bind(int index, double value) {
  sqlite3_bind_double(statement_, index, value);
  return *this;
}

Statement& Statement::bind(int index, std::string_view value) {
  // An empty view may have no address, and SQLite reads a null address as NULL.
  sqlite3_bind_text64(statement_, index, value.empty() ? "" : value.data(), value.size(),
                      SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_view(int index, std::string_view value) {
  sqlite3_bind_text64(statement_, index, value.empty() ? "" : value.data(), value.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_null(int index) {
  sqlite3_bind_null(statement_, index);
  return *this;
}

Statement& Statement::bind(int index, std::optional<int64_t> value) {
  return value ? bind(index, *value) : bind_null(index);
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement_);
    return false;
  }
  // The message belongs to the failed step: take it before the reset.
  const std::string message = sqlite3_errmsg(db_);
  sqlite3_reset(statement_);
  return Error{"the catalogue cannot be used: " + message};
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

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_, column));
  return bytes ? std::string(bytes, size) : std::string();
}

void Database::Close::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

Result<Database> Database::open_with(const std::filesystem::path& path, int flags) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database;
  database.db_.reset(raw);
  if (code != SQLITE_OK) {
    return Error{fmt::format("cannot open {}: {}", path.string(),
                             raw ? sqlite3_errmsg(raw) : "out of memory")};
  }
  return database;
}

Result<Database> Database::create(const std::filesystem::path& path) {
  return open_with(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

Result<Database> Database::open(const std::filesystem::path& path) {
  return open_with(path, SQLITE_OPEN_READONLY);
}

Status Database::execute(const char* sql) {
  char* message = nullptr;
  if (sqlite3_exec(db_.get(), sql, nullptr, nullptr, &message) == SQLITE_OK) return {};
  const Error error{fmt::format("the catalogue cannot be used: {}", message ? message : "unknown")};
  sqlite3_free(message);
  return error;
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db_.get(), sql.data(), static_cast<int>(sql.size()), &statement,
                         nullptr) != SQLITE_OK) {
    return Error{fmt::format("the catalogue cannot be used: {}", sqlite3_errmsg(db_.get()))};
  }
  return Statement(db_.get(), statement);
}

}  // namespace dowser
