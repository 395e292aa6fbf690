#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "archive/warc_reader.h"
#include "base/result.h"
#include "model/library_item.h"
#include "model/page.h"
#include "run/added_files.h"
#include "run/stored_answer.h"

namespace dowser {

// The texts of the items of a crawl's library, read from where they are kept: pages from the
// archive, files of one's own from DIR/added.
class LibraryTexts {
 public:
  explicit LibraryTexts(std::filesystem::path crawl_folder);

  // Opens these files of the archive. The other functions read only what is open; many threads may
  // call them.
  Status open(const std::set<std::string>& archive_files);

  // The page at a place of the archive, without language and terms. `url` is its address, for a
  // server that said only that the page has not changed since an earlier crawl.
  Result<Page> page(const std::string& archive_file, uint64_t offset, const std::string& url);

  // The text of the document whose response is at this place: "" if it could not be converted.
  Result<std::string> conversion(const std::string& archive_file, uint64_t offset) const;

  // What a search shows of an item: one block in each line.
  Result<std::string> shown(const LibraryItem& item);

  const AddedFiles& added() const { return added_; }

 private:
  const std::filesystem::path folder_;
  std::map<std::string, WarcReader> readers_;
  std::map<std::string, MappedFile> mapped_;
  const AddedFiles added_;
  std::mutex mutex_;  // of what follows
  std::unique_ptr<EarlierAnswers> earlier_;
};

}  // namespace dowser
