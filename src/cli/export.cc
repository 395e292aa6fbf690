#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "report/csv.h"
#include "store/database.h"

namespace dowser {
namespace {

using Row = std::function<void(const Statement&, std::ostream&)>;

void csv_row(const Statement& row, std::ostream& out) {
  for (int i = 0; i < row.columns(); ++i)
    out << (i ? "," : "") << csv_field(row.text(i), row.is_number(i));
  out << "\r\n";
}

void jsonl_row(const Statement& row, std::ostream& out) {
  nlohmann::ordered_json object;
  for (int i = 0; i < row.columns(); ++i) {
    const std::string name = row.column_name(i);
    if (row.is_null(i)) {
      object[name] = nullptr;
    } else if (name == "reasons") {  // JSON in the catalogue already
      object[name] = nlohmann::json::parse(row.text(i), nullptr, false);
    } else if (row.is_number(i)) {
      const double value = row.real(i);
      const int64_t whole = row.integer(i);
      static_cast<double>(whole) == value ? object[name] = whole : object[name] = value;
    } else {
      object[name] = row.text(i);
    }
  }
  out << object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

Status write_table(Database& database, const std::string& sql, bool csv, std::ostream& out) {
  Result<Statement> rows = database.prepare(sql);
  if (!rows) return rows.error();
  if (csv) {
    for (int i = 0; i < rows->columns(); ++i) out << (i ? "," : "") << rows->column_name(i);
    out << "\r\n";
  }
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return row.error();
    if (!*row) break;
    csv ? csv_row(*rows, out) : jsonl_row(*rows, out);
  }
  out.flush();
  return out ? Status{} : Status{Error{"cannot write the export: is the disk full?"}};
}

}  // namespace

int export_command(CommandLine line) {
  Arguments arguments("export", "Writes what a crawl found as csv or jsonl.",
                      "dowser export birds --format csv --relevant --to birds.csv");
  std::string folder, format = "jsonl", table = "pages", to;
  bool relevant = false;
  arguments.word("DIR", "the folder of the crawl", &folder);
  arguments.option(
      "format", "csv|jsonl",
      "(default jsonl); in csv, text that a spreadsheet would compute gets a ' in front", &format);
  arguments.option("table", "pages|links|hosts|runs",
                   "which table of the catalogue (default pages)", &table);
  arguments.option("to", "FILE", "where to (default: standard output)", &to);
  arguments.flag("relevant", "only the relevant pages", &relevant);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (format != "csv" && format != "jsonl") {
    return fail("export", Error{fmt::format("format must be csv or jsonl, not '{}'", format)},
                kUsage);
  }
  if (table != "pages" && table != "links" && table != "hosts" && table != "runs") {
    return fail(
        "export",
        Error{fmt::format("there is no table '{}': choose pages, links, hosts or runs", table)},
        kUsage);
  }
  if (relevant && table != "pages") {
    return fail("export", Error{"--relevant goes with --table pages"}, kUsage);
  }

  Result<Database> database = Database::open(std::filesystem::path(folder) / "catalogue.sqlite");
  if (!database) return fail("export", database.error());
  const std::string sql = "SELECT * FROM " + table + (relevant ? " WHERE relevant = 1" : "");
  std::ofstream file;
  if (!to.empty()) {
    file.open(to, std::ios::binary | std::ios::trunc);
    if (!file) return fail("export", Error{"cannot write " + to});
  }
  if (Status s = write_table(*database, sql, format == "csv", to.empty() ? std::cout : file); !s) {
    return fail("export", s.error());
  }
  return kDone;
}

}  // namespace dowser
