#include "store/link_table.h"

#include <sqlite3.h>

#include <string>
#include <vector>

#include "store/link_list.h"

namespace dowser {
namespace {

// The table-valued function unpack_links(base, paths, links).
constexpr char kColumns[] =
    "CREATE TABLE x (position, url, anchor, tag_path, nofollow, refused, score, won, parts, "
    "base HIDDEN, paths HIDDEN, links HIDDEN)";
enum Column {
  kPosition,
  kUrl,
  kAnchor,
  kTagPath,
  kNofollow,
  kRefused,
  kScore,
  kWon,
  kParts,
  kBase
};
constexpr int kArguments = 3;

// Columns as they stood in the table of older versions.
constexpr char kView[] =
    "CREATE TEMP VIEW IF NOT EXISTS links AS "
    "SELECT page, position, url, anchor, tag_path, nofollow, refused, score, won, parts "
    "FROM main.link_lists AS list, unpack_links(list.base, list.paths, list.links)";

struct Cursor : sqlite3_vtab_cursor {
  LinkListReader list;
  sqlite3_int64 position = 0;
  bool there = false;
};

Cursor& cursor_of(sqlite3_vtab_cursor* cursor) { return *static_cast<Cursor*>(cursor); }

int connect(sqlite3* db, void*, int, const char* const*, sqlite3_vtab** table, char**) {
  *table = new sqlite3_vtab{};
  sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
  return sqlite3_declare_vtab(db, kColumns);
}

int disconnect(sqlite3_vtab* table) {
  delete table;
  return SQLITE_OK;
}

int open(sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
  *cursor = new Cursor;
  return SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) {
  delete &cursor_of(cursor);
  return SQLITE_OK;
}

// All three arguments are needed. Rows come in the order of their positions.
int best_index(sqlite3_vtab*, sqlite3_index_info* plan) {
  int found = 0;
  for (int i = 0; i < plan->nConstraint; ++i) {
    const auto& constraint = plan->aConstraint[i];
    if (constraint.iColumn < kBase || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (!constraint.usable) return SQLITE_CONSTRAINT;
    plan->aConstraintUsage[i].argvIndex = constraint.iColumn - kBase + 1;
    plan->aConstraintUsage[i].omit = 1;
    ++found;
  }
  if (found != kArguments) return SQLITE_CONSTRAINT;
  plan->orderByConsumed =
      plan->nOrderBy == 1 && plan->aOrderBy[0].iColumn == kPosition && !plan->aOrderBy[0].desc;
  plan->estimatedCost = 50;
  plan->estimatedRows = 50;
  return SQLITE_OK;
}

int step(Cursor& cursor) {
  cursor.there = cursor.list.next();
  if (!cursor.list.damaged()) return SQLITE_OK;
  sqlite3_free(cursor.pVtab->zErrMsg);
  cursor.pVtab->zErrMsg =
      sqlite3_mprintf("a list of links is damaged: run dowser check, then dowser check --repair");
  return SQLITE_CORRUPT;
}

std::string_view text_of(sqlite3_value* value) {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return bytes ? std::string_view(bytes, static_cast<size_t>(sqlite3_value_bytes(value)))
               : std::string_view();
}

int filter(sqlite3_vtab_cursor* raw, int, const char*, int, sqlite3_value** cells) {
  Cursor& cursor = cursor_of(raw);
  cursor.position = 0;
  (void)cursor.list.open(text_of(cells[0]), text_of(cells[1]), text_of(cells[2]));
  return step(cursor);
}

int next(sqlite3_vtab_cursor* raw) {
  Cursor& cursor = cursor_of(raw);
  ++cursor.position;
  return step(cursor);
}

int is_at_end(sqlite3_vtab_cursor* cursor) { return !cursor_of(cursor).there; }

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
  *id = cursor_of(cursor).position;
  return SQLITE_OK;
}

void give(sqlite3_context* to, std::string_view text) {
  if (!text.empty()) {
    sqlite3_result_text64(to, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
}

int column(sqlite3_vtab_cursor* raw, sqlite3_context* to, int column) {
  const Cursor& cursor = cursor_of(raw);
  const LinkRow& link = cursor.list.link();
  switch (column) {
    case kPosition:
      sqlite3_result_int64(to, cursor.position);
      break;
    case kUrl:
      give(to, link.url);
      break;
    case kAnchor:
      give(to, link.anchor);
      break;
    case kTagPath:
      give(to, link.tag_path);
      break;
    case kNofollow:
      sqlite3_result_int(to, link.nofollow);
      break;
    case kRefused:
      give(to, link.refused);
      break;
    case kScore:
      if (link.score) sqlite3_result_double(to, *link.score);
      break;
    case kWon:
      sqlite3_result_int(to, link.won);
      break;
    case kParts:
      give(to, link.parts);
      break;
    default:
      break;  // the arguments: nobody asks
  }
  return SQLITE_OK;
}

sqlite3_module make_module() {
  sqlite3_module module{};
  module.xConnect = connect;  // and no xCreate: it is a function, not a table to be made
  module.xBestIndex = best_index;
  module.xDisconnect = disconnect;
  module.xOpen = open;
  module.xClose = close;
  module.xFilter = filter;
  module.xNext = next;
  module.xEof = is_at_end;
  module.xColumn = column;
  module.xRowid = row_id;
  return module;
}

// The first column of every row.
int texts(sqlite3* db, const char* sql, std::vector<std::string>& out) {
  return sqlite3_exec(
      db, sql,
      [](void* all, int, char** cells, char**) {
        static_cast<std::vector<std::string>*>(all)->emplace_back(cells[0] ? cells[0] : "");
        return 0;
      },
      &out, nullptr);
}

}  // namespace

int use_link_table(sqlite3* db) {
  std::vector<std::string> found, views;
  int code = texts(
      db, "SELECT 1 FROM main.sqlite_master WHERE name = 'link_lists' AND type = 'table'", found);
  if (code != SQLITE_OK || found.empty()) return code;
  static const sqlite3_module kModule = make_module();
  code = sqlite3_create_module(db, "unpack_links", &kModule, nullptr);
  if (code == SQLITE_OK) code = sqlite3_exec(db, kView, nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) {
    code = texts(db,
                 "SELECT 'CREATE TEMP VIEW ' || name || SUBSTR(sql, INSTR(sql, ' AS')) "
                 "FROM main.sqlite_master WHERE type = 'view' "
                 "AND name IN ('boilerplate', 'document_references') "
                 "AND name NOT IN (SELECT name FROM temp.sqlite_master)",
                 views);
  }
  for (const std::string& view : views) {
    if (code == SQLITE_OK) code = sqlite3_exec(db, view.c_str(), nullptr, nullptr, nullptr);
  }
  return code;
}

}  // namespace dowser
