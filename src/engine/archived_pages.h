#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "archive/warc_reader.h"
#include "model/visit.h"
#include "store/database.h"

// What a crawl has archived, read again.

namespace dowser {

class ArchivedPages {
 public:
  explicit ArchivedPages(std::filesystem::path archive_folder)
      : folder_(std::move(archive_folder)) {}

  // The response that stands there.
  Result<Response> response(const std::string& file, uint64_t offset);

 private:
  std::filesystem::path folder_;
  std::map<std::string, WarcReader> readers_;
};

// The visits of a crawl, made anew from its catalogue and archive; without their redirects and the
// reasons of their judgements.
class ArchivedVisits {
 public:
  static Result<ArchivedVisits> open(const std::filesystem::path& crawl_folder);

  // An error is that of one visit, whose record is broken, or that of the catalogue: then nothing
  // more is read (SQLite may wait ten seconds each time), and status() has it too.
  Result<Visit> read(VisitId id, Candidate candidate);
  const Status& status() const { return status_; }

 private:
  ArchivedVisits(Database database, Statement row, std::filesystem::path archive_folder)
      : database_(std::move(database)), row_(std::move(row)), pages_(std::move(archive_folder)) {}

  Database database_;
  Statement row_;
  Status status_;
  ArchivedPages pages_;
};

}  // namespace dowser
