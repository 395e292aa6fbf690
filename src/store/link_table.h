#pragma once

struct sqlite3;

// `links` for Dowser's own connections: one row for each link, unpacked from `link_lists` by
// link_list.h instead of SQLite's JSON functions. A temporary view of that name hides the one in
// the file, and the views that read `links` are made again next to it, so every query is written as
// if `links` were a table. A catalogue of version 4 and older has that table, and nothing is done.

namespace dowser {

// An error code of SQLite. To be called where a file is opened, and after its tables were made.
int use_link_table(sqlite3* db);

}  // namespace dowser
