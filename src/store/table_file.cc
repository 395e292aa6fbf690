#include "store/table_file.h"

#include <fmt/format.h>

#include <string>

namespace dowser {
Result<TableFile> TableFile::create(const std::filesystem::path& path, const char* schema) {
  Result<UnfinishedFile> unfinished = UnfinishedFile::create(path);
  if (!unfinished) return unfinished.error();
  Result<Database> database = Database::create(unfinished->path());
  if (!database) return database.error();
  TableFile file(path, std::move(*unfinished), std::move(*database));
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
  return file_.publish();
}

}  // namespace dowser
