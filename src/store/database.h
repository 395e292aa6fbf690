#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

// SQLite with values instead of codes: just enough for the catalogue. One thread at a time uses a
// database and its statements.

namespace dowser {

class Statement {
 public:
  Statement(Statement&&) noexcept;
  ~Statement();

  // Parameters, from 1.
  Statement& bind(int index, int64_t value);
  Statement& bind(int index, double value);
  Statement& bind(int index, std::string_view value);       // the bytes are copied
  Statement& bind_view(int index, std::string_view value);  // they must live until step() is done
  Statement& bind_blob_view(int index, std::string_view value);  // likewise
  Statement& bind_null(int index);
  Statement& bind(int index, std::optional<int64_t> value);

  // True: a row is there to read. False: done. Resets itself when done, so that it can be used
  // again.
  Result<bool> step();
  Status run();  // for statements without rows
  // Calls use(row) for every row, with *this.
  template <class Use>
  Status for_each(const Use& use) {
    while (true) {
      const Result<bool> row = step();
      if (!row) return row.error();
      if (!*row) return {};
      use(static_cast<const Statement&>(*this));
    }
  }
  void reset();  // if the remaining rows are not wanted

  // Columns of the row, from 0.
  int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  std::string_view view(int column) const;  // the same without a copy; good until the next step()
  std::string_view blob_view(int column) const;  // likewise
  bool is_null(int column) const;
  int columns() const;
  std::string column_name(int column) const;
  bool is_number(int column) const;
  bool is_integer(int column) const;
  bool is_blob(int column) const;

 private:
  friend class Database;
  Statement(sqlite3* db, sqlite3_stmt* statement) : db_(db), statement_(statement) {}
  Statement& bound(int code);
  sqlite3* db_;
  sqlite3_stmt* statement_;
  int bind_failed_ = 0;  // the first code of a bind() since the last step()
};

class Database {
 public:
  // For reading and writing; created if it does not exist.
  static Result<Database> create(const std::filesystem::path& path);
  // For reading and writing; must exist.
  static Result<Database> open_for_writing(const std::filesystem::path& path);
  // For reading only. The content is never changed, even if a killed crawl left changes in the -wal
  // file next to it. A crawl may write at the same time; each statement sees the moment at which it
  // began. Also works in a read-only folder.
  static Result<Database> open(const std::filesystem::path& path);

  // How long a lock of another process is waited for; five seconds if nothing is said.
  void set_patience(std::chrono::milliseconds patience);

  Status execute(const char* sql);  // one or several statements without parameters
  Result<Statement> prepare(std::string_view sql);
  Result<bool> has_column(std::string_view table, std::string_view column);
  // Makes `links` of a catalogue fast to read: see link_table.h. open() has done it already.
  Status unpack_links();
  bool is_damaged() const;  // the last call failed because the file is broken

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  static Result<Database> open_with(const std::filesystem::path& path, int flags,
                                    bool immutable = false);
  std::unique_ptr<sqlite3, Close> db_;
};

}  // namespace dowser
