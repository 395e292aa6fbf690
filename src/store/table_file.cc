#include "store/table_file.h"

#include <fmt/format.h>

#include <string>

namespace dowser {
namespace {

std::filesystem::path unfinished_name(std::filesystem::path path) { return path += ".new"; }

}  // namespace

TableFile::TableFile(std::filesystem::path path, Database database)
    : path_(std::move(path)),
      unfinished_(std::make_unique<bool>(true)),
      database_(std::move(database)) {}

TableFile::~TableFile() {
  if (!unfinished_ || !*unfinished_) return;
  std::error_code ignored;
  std::filesystem::remove(unfinished_name(path_), ignored);
}

Result<TableFile> TableFile::create(const std::filesystem::path& path, const char* schema) {
  const std::filesystem::path name = unfinished_name(path);
  std::error_code ignored;
  std::filesystem::remove(name, ignored);  // of a run that was killed
  Result<Database> database = Database::create(name);
  if (!database) return database.error();
  TableFile file(path, std::move(*database));
  // The file is of no use before it is complete, so nothing is written for recovery.
  for (const char* sql :
       {"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;", schema, "BEGIN;"}) {
    if (Status s = file.database_.execute(sql); !s) return file.about_this_file(s.error());
  }
  return file;
}

Result<Statement> TableFile::insert_into(std::string_view table, int columns) {
  std::string values = "?1";
  for (int i = 2; i <= columns; ++i) values += fmt::format(", ?{}", i);
  Result<Statement> insert =
      database_.prepare(fmt::format("INSERT INTO {} VALUES ({})", table, values));
  if (!insert) return about_this_file(insert.error());
  return insert;
}

// Messages of Database speak of the catalogue.
Error TableFile::about_this_file(const Error& error) const {
  const size_t colon = error.message.find(": ");
  return {fmt::format("cannot write {}{}", path_.string(),
                      colon == std::string::npos ? "" : error.message.substr(colon))};
}

Status TableFile::finish(const char* indexes) {
  for (const char* sql : {"COMMIT;", indexes}) {
    if (Status s = database_.execute(sql); !s) return about_this_file(s.error());
  }
  std::error_code failed;
  std::filesystem::rename(unfinished_name(path_), path_, failed);
  if (failed) return Error{fmt::format("cannot write {}: {}", path_.string(), failed.message())};
  *unfinished_ = false;
  return {};
}

}  // namespace dowser
