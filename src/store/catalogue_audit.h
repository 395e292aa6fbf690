#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/database.h"
#include "store/row_sum.h"

// The checks of `dowser check` on a catalogue: whether the file, its tables and its rows are as the
// store wrote them. Changes nothing.

namespace dowser {

class CatalogueAudit {
 public:
  // All answers refer to the moment of open(), whatever a crawl writes meanwhile.
  static Result<CatalogueAudit> open(const std::filesystem::path& file);

  // Sentences about what SQLite finds wrong in the file, and about a wrong version.
  Result<std::vector<std::string>> structure_problems();
  // Sentences about tables, indexes and views that are missing or were changed.
  Result<std::vector<std::string>> schema_problems();

  // How many pages there are, and the highest id; they are numbered from 0 without a gap.
  struct Numbering {
    int64_t pages = 0, last = 0;
  };
  Result<Numbering> numbering();
  // The rows of the pages and their checksums.
  Result<PageReader> page_reader() { return PageReader::open(database_); }
  // Links whose page has no id below `visits`.
  Result<int64_t> links_of_no_page(uint32_t visits);
  // Rows of `hosts` that a recount of the pages does not give, and the other way round.
  Result<int64_t> wrong_hosts();

  // Nothing if the catalogue is of an older version. The numbers may be nonsense.
  struct Progress {
    std::optional<int64_t> visits, syncs;
  };
  std::optional<Progress> progress();

  // The rows of `runs` in the order of kRunColumns, and their stored checksums by the id of the
  // run.
  Result<std::vector<Row>> runs();
  std::map<int64_t, int64_t> run_sums();

 private:
  explicit CatalogueAudit(Database database) : database_(std::move(database)) {}
  Result<std::vector<Row>> query(const std::string& sql);
  Result<int64_t> number(const std::string& sql);

  Database database_;
};

}  // namespace dowser
