#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "base/new_file.h"
#include "cli/arguments.h"
#include "cli/export.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "report/csv.h"
#include "store/catalogue_reader.h"
#include "text/printable.h"

namespace dowser {
namespace {

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
  out << printable_json(object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
      << "\n";
}

Status write_table(Statement& rows, bool csv, std::ostream& out) {
  if (csv) {
    for (int i = 0; i < rows.columns(); ++i) out << (i ? "," : "") << rows.column_name(i);
    out << "\r\n";
  }
  Status read =
      rows.for_each([&](const Statement& row) { csv ? csv_row(row, out) : jsonl_row(row, out); });
  if (!read) return read;
  out.flush();
  return out ? Status{} : Status{Error{"cannot write the export: is the disk full?"}};
}

// Writes to a NewFile.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(NewFile& file) : file_(file) {}
  const Status& status() const { return status_; }

 protected:
  std::streamsize xsputn(const char* bytes, std::streamsize size) override {
    if (status_) status_ = file_.append({bytes, static_cast<size_t>(size)});
    return status_ ? size : 0;
  }
  int overflow(int byte) override {
    const char one = static_cast<char>(byte);
    return xsputn(&one, 1) == 1 ? byte : traits_type::eof();
  }

 private:
  NewFile& file_;
  Status status_;
};

// The file gets its name when it is complete; a device or a pipe is written as it is.
Status write_file_of(Statement& rows, bool csv, const std::string& to) {
  Result<NewFile> file = NewFile::create(to);
  if (!file) return file.error();
  const RemoveIfInterrupted guard(file->unfinished());
  FileBuffer buffer(*file);
  std::ostream out(&buffer);
  Status written = write_table(rows, csv, out);
  if (!buffer.status()) return buffer.status();
  return written ? file->finish() : written;
}

}  // namespace

int export_command(CommandLine line) {
  Arguments arguments(
      "export", "Writes the results of a crawl: tables, hits of signatures, or the link graph.",
      "dowser export birds --format csv --relevant --to birds.csv");
  std::string format = "jsonl", table = "pages", to;
  std::vector<std::string> folders;
  bool relevant = false, all = false;
  arguments.option("format", "csv|jsonl|hadf|arff|graphml|gexf",
                   "default jsonl; in csv, a ' is put in front of text that a spreadsheet would "
                   "take for a formula; hadf and arff: hits of signatures; graphml and gexf: "
                   "relevant pages and their links",
                   &format);
  arguments.option("table", "pages|links|documents|hosts|runs",
                   "the table of the catalogue to write (default pages)", &table);
  arguments.option("to", "FILE", "the file to write (default: standard output)", output_file(&to));
  arguments.flag("relevant", "only the relevant pages", &relevant);
  arguments.flag("all", "include pages that are not relevant in graphml and gexf", &all);
  arguments.words("DIR",
                  "the folder of the crawl; several crawls of the same sites, the oldest first, "
                  "give a gexf with the days on which pages and links were seen",
                  &folders);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (format == "graphml" || format == "gexf") return export_network(folders, format, to, all);
  if (folders.size() > 1) {
    return fail("export", Error{"only --format graphml and gexf accept several folders"}, kUsage);
  }
  const std::string& folder = folders.front();
  if (format == "hadf" || format == "arff") return export_hits(folder, format, to);
  if (format != "csv" && format != "jsonl") {
    return fail("export",
                Error{fmt::format(
                    "format must be csv, jsonl, hadf, arff, graphml or gexf, not '{}'", format)},
                kUsage);
  }
  if (table != "pages" && table != "links" && table != "documents" && table != "hosts" &&
      table != "runs") {
    return fail(
        "export",
        Error{fmt::format("there is no table '{}': choose pages, links, documents, hosts or runs",
                          table)},
        kUsage);
  }
  if (relevant && table != "pages") {
    return fail("export", Error{"--relevant can only be used with --table pages"}, kUsage);
  }

  Result<CatalogueReader> catalogue = CatalogueReader::open(folder);
  if (!catalogue) return fail("export", catalogue.error());
  Result<Statement> rows = catalogue->table(table, relevant);
  if (!rows) return fail("export", rows.error());
  const bool csv = format == "csv";
  Status written = to.empty() ? write_table(*rows, csv, std::cout) : write_file_of(*rows, csv, to);
  if (!written) return fail("export", written.error());
  return kDone;
}

}  // namespace dowser
