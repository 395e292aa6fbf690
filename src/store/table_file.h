#pragma once

#include <filesystem>
#include <string_view>

#include "base/new_file.h"
#include "base/result.h"
#include "store/database.h"

namespace dowser {

// A new SQLite file that is written once, table by table, and replaces an older one of its name in
// one step (base/new_file.h); without finish() nothing is left. Errors name the file.
class TableFile {
 public:
  // `schema` is SQL that makes the tables.
  static Result<TableFile> create(const std::filesystem::path& path, const char* schema);
  TableFile(TableFile&&) = default;

  // A statement that inserts a row of `columns` values, which are bound in the table's order.
  Result<Statement> insert_into(std::string_view table, int columns);

  // An error of one of its statements, about this file.
  Error about_this_file(const Error& error) const;

  // `indexes` is SQL that runs when all rows are there.
  Status finish(const char* indexes);

 private:
  TableFile(std::filesystem::path path, UnfinishedFile file, Database database)
      : path_(std::move(path)), file_(std::move(file)), database_(std::move(database)) {}

  std::filesystem::path path_;
  UnfinishedFile file_;  // outlives the database
  Database database_;
};

// The tables of usage.sqlite, which `dowser usage` writes; described in docs/formats.md.
extern const char kUsageSchema[];
extern const char kUsageIndexes[];

}  // namespace dowser
