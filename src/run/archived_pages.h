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
#include "store/catalogue_reader.h"

// Reads the pages and visits of a crawl back from its archive.

namespace dowser {

class ArchivedPages {
 public:
  explicit ArchivedPages(std::filesystem::path archive_folder)
      : folder_(std::move(archive_folder)) {}

  // The response at this position.
  Result<Response> response(const std::string& file, uint64_t offset);

  // The response at this position and, if it is a document, what was made of it.
  struct Answer {
    Response response;
    std::optional<Document> document;

    Page page(bool lists = false, const ParseOptions& options = {}) const;
  };
  Result<Answer> answer(const std::string& file, uint64_t offset);

  // All that is archived of a visit, between two positions, in order. It may be in several files.
  struct Records {
    std::vector<Response> responses;
    std::optional<Document> document;  // of the last one
  };
  Result<Records> records(const ArchiveEnd& begin, const ArchiveEnd& end);

  // The first file of the archive that could not be opened. A record that is damaged concerns its
  // page alone; this concerns them all.
  const Status& status() const { return status_; }

 private:
  Result<const MappedFile*> mapped(const std::string& file);
  // Stops after a metadata record, if `one_visit` says so: then it returns true.
  Result<bool> add_records(const std::string& file, uint64_t begin, uint64_t end, bool one_visit,
                           Records& to);

  std::filesystem::path folder_;
  std::map<std::string, WarcReader> readers_;
  std::map<std::string, MappedFile> files_;
  Status status_;
};

// The visits of a crawl, made again from its catalogue and archive; without the reasons of their
// judgements, which are those of the moment when the page came.
class ArchivedVisits {
 public:
  // `lists`: whether sitemaps and feeds were read when the crawl ran, as in make_page();
  // `options_of`: how the page of a visit was parsed.
  using OptionsOf = std::function<ParseOptions(VisitId)>;
  static Result<ArchivedVisits> open(
      const std::filesystem::path& crawl_folder, bool lists,
      OptionsOf options_of = [](VisitId) { return ParseOptions(); });

  // `begin` and `end` are those of its records in the archive. An Error either concerns this visit,
  // whose record is broken, or the catalogue: then status() has it too and nothing more is read,
  // since SQLite may wait ten seconds each time.
  Result<Visit> read(VisitId id, Candidate candidate, const ArchiveEnd& begin,
                     const ArchiveEnd& end);
  // Without its redirects.
  Result<Visit> read(VisitId id);
  const Status& status() const { return status_; }

 private:
  ArchivedVisits(CatalogueReader catalogue, std::filesystem::path archive_folder, bool lists,
                 OptionsOf options_of)
      : catalogue_(std::move(catalogue)),
        pages_(std::move(archive_folder)),
        lists_(lists),
        options_of_(std::move(options_of)) {}
  struct Row;
  Result<Row> row_of(VisitId id);

  CatalogueReader catalogue_;
  Status status_;
  ArchivedPages pages_;
  bool lists_;
  OptionsOf options_of_;
};

}  // namespace dowser
