#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "archive/warc_reader.h"
#include "archive/warc_writer.h"
#include "model/visit.h"
#include "store/catalogue_reader.h"

// Reads the pages and visits of a crawl back from its archive.

namespace dowser {

class ArchivedPages {
 public:
  explicit ArchivedPages(std::filesystem::path archive_folder)
      : folder_(std::move(archive_folder)) {}

  // The response at this position.
  Result<Response> response(const std::string& file, uint64_t offset);

  // All responses between two positions, in order. They may be in several files.
  Result<std::vector<Response>> responses(const ArchiveEnd& begin, const ArchiveEnd& end);

 private:
  Status add_responses(const std::string& file, uint64_t begin, uint64_t end,
                       std::vector<Response>& to);

  std::filesystem::path folder_;
  std::map<std::string, WarcReader> readers_;
  std::map<std::string, MappedFile> files_;
};

// The visits of a crawl, rebuilt from its catalogue and archive, without the reasons of their
// judgements.
class ArchivedVisits {
 public:
  // `lists`: whether sitemaps and feeds were read when the crawl ran, as in make_page().
  static Result<ArchivedVisits> open(const std::filesystem::path& crawl_folder, bool lists);

  // `begin` and `end` are those of its records in the archive. An Error either concerns this visit,
  // whose record is broken, or the catalogue: then status() has it too and nothing more is read,
  // since SQLite may wait ten seconds each time.
  Result<Visit> read(VisitId id, Candidate candidate, const ArchiveEnd& begin,
                     const ArchiveEnd& end);
  // Without its redirects.
  Result<Visit> read(VisitId id);
  const Status& status() const { return status_; }

 private:
  ArchivedVisits(CatalogueReader catalogue, std::filesystem::path archive_folder, bool lists)
      : catalogue_(std::move(catalogue)), pages_(std::move(archive_folder)), lists_(lists) {}
  struct Row;
  Result<Row> row_of(VisitId id);

  CatalogueReader catalogue_;
  Status status_;
  ArchivedPages pages_;
  bool lists_;
};

}  // namespace dowser
