#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "run/library_texts.h"
#include "store/index_text.h"
#include "store/library_writer.h"
#include "store/stored_documents.h"

namespace dowser {

// What the library of a crawl is made from, read from its catalogue and from DIR/added.
class LibrarySource {
 public:
  // A page of the catalogue, without its text.
  struct Row {
    uint32_t id = 0;
    std::string url;  // after redirects
    std::string language, fetched_at;
    double relevance = 0;
    bool relevant = false, is_copy = false;
    uint32_t references = 0;    // pages that link to it
    uint32_t archive_file = 0;  // index into archive_files()
    uint64_t archive_offset = 0;
  };

  static Result<LibrarySource> read(const std::filesystem::path& crawl_folder, const Watch& watch);

  const std::vector<Row>& rows() const { return rows_; }  // in order of id
  const std::vector<std::string>& archive_files() const { return files_; }
  const std::vector<LibraryItem>& added() const { return added_; }
  // The document that a row is; null if it is a page and nothing else.
  const StoredDocument* document(const Row& row) const {
    const auto it = documents_.find(row.id);
    return it == documents_.end() ? nullptr : &it->second;
  }

  // Identifies the first `count` rows: a crawl that was killed may fetch other pages in their
  // place.
  std::string mark(size_t count) const;
  static CatalogueFacts facts(const Row& row) {
    return {row.id, row.relevance, row.relevant, row.references};
  }

 private:
  Status read_pages(const std::filesystem::path& crawl_folder, const Watch& watch);

  std::vector<Row> rows_;
  std::vector<std::string> files_;
  std::vector<LibraryItem> added_;
  std::map<int64_t, StoredDocument> documents_;  // by page
};

// Changes when something of it may have changed. Looks only at the files, so it costs nothing.
Result<std::string> source_stamp(const std::filesystem::path& crawl_folder);

// Changes when a file of the archive has changed.
std::string archive_stamp(const std::filesystem::path& crawl_folder);

// Rows whose records in the archive could not be read, so that they are not in the library.
struct UnreadableRows {
  size_t count = 0;
  std::string first;  // where the first of them is, for is_readable()
};
// Whether the row can be read now.
bool is_readable(const std::filesystem::path& crawl_folder, const std::string& place);

// Adds the rows from `first` on. A false answer of the watch ends it with stopped().
Result<UnreadableRows> add_rows(const std::filesystem::path& crawl_folder,
                                const LibrarySource& source, size_t first, LibraryWriter& writer,
                                const Watch& watch);

}  // namespace dowser
