#pragma once

#include "store/catalogue.h"
#include "store/database.h"

namespace dowser {

// Makes `links` the table that it was before version 5, which had a row for each link.
inline Status make_links_a_table(Database& database) {
  if (Status s = database.unpack_links(); !s) return s;
  const auto schema = catalogue_schema(4);
  if (!schema) return schema.error();
  const std::string sql =
      "CREATE TEMP TABLE copied AS SELECT * FROM temp.links; "
      "DROP VIEW main.links; DROP TABLE link_lists; " +
      schema->at("links") +
      "; INSERT INTO main.links SELECT * FROM copied; "
      "DROP TABLE copied; DROP VIEW temp.links; DROP VIEW temp.boilerplate; "
      "DROP VIEW temp.document_references; "
      "PRAGMA user_version = 4";
  return database.execute(sql.c_str());
}

}  // namespace dowser
