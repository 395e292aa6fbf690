#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "archive/warc_reader.h"
#include "archive/warc_writer.h"
#include "model/visit.h"
#include "parse/parse_page.h"
#include "store/database.h"

// What a crawl has archived, read again.

namespace dowser {

class ArchivedPages {
 public:
  explicit ArchivedPages(std::filesystem::path archive_folder)
      : folder_(std::move(archive_folder)) {}

  // The response that stands there.
  Result<Response> response(const std::string& file, uint64_t offset);

  // All responses between two places, in order. They may stand in several files.
  Result<std::vector<Response>> responses(const ArchiveEnd& begin, const ArchiveEnd& end);

 private:
  Status add_responses(const std::string& file, uint64_t begin, uint64_t end,
                       std::vector<Response>& to);

  std::filesystem::path folder_;
  std::map<std::string, WarcReader> readers_;
  std::map<std::string, MappedFile> files_;
};

// The visits of a crawl, made anew from its catalogue and archive; without the reasons of their
// judgements.
class ArchivedVisits {
 public:
  // `lists`: as make_page() was told when the crawl ran; `options_of`: how a visit's page was
  // parsed.
  using OptionsOf = std::function<ParseOptions(VisitId)>;
  static Result<ArchivedVisits> open(
      const std::filesystem::path& crawl_folder, bool lists,
      OptionsOf options_of = [](VisitId) { return ParseOptions(); });

  // An error is that of one visit, whose record is broken, or that of the catalogue: then nothing
  // more is read (SQLite may wait ten seconds each time), and status() has it too. `begin` and
  // `end` are those of its records in the archive.
  Result<Visit> read(VisitId id, Candidate candidate, const ArchiveEnd& begin,
                     const ArchiveEnd& end);
  // Without its redirects, for who need not know how a page was reached.
  Result<Visit> read(VisitId id);
  const Status& status() const { return status_; }

 private:
  ArchivedVisits(Database database, Statement row, std::filesystem::path archive_folder, bool lists,
                 OptionsOf options_of)
      : database_(std::move(database)),
        row_(std::move(row)),
        pages_(std::move(archive_folder)),
        lists_(lists),
        options_of_(std::move(options_of)) {}
  struct Row;
  Result<Row> row_of(VisitId id);

  Database database_;
  Statement row_;
  Status status_;
  ArchivedPages pages_;
  bool lists_;
  OptionsOf options_of_;
};

}  // namespace dowser
