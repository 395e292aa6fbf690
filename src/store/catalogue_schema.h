#pragma once

#include <string_view>

#include "base/result.h"
#include "store/database.h"

// The tables, indexes and views of a catalogue. docs/formats.md describes them.

namespace dowser {

// Makes everything in a new catalogue.
Status make_tables(Database& database);
// Brings a catalogue of an older version to the newest one.
Status upgrade_tables(Database& database);
// Of a row of `link_lists`: page, base, paths, links.
std::string_view insert_link_list_sql();

}  // namespace dowser
