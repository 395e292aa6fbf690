#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fetch/archive_web.h"
#include "run/archived_pages.h"
#include "store/stored_pages.h"

// The answer that a row of a catalogue stands for, even if the server said only that the page is
// as it was in an earlier crawl.

namespace dowser {

// The archives of the earlier crawls; opened when first asked.
class EarlierAnswers {
 public:
  explicit EarlierAnswers(std::vector<std::string> crawl_folders)
      : previous_(std::move(crawl_folders)) {}
  Result<Response> get(const std::string& address);

 private:
  const std::vector<std::string> previous_;
  std::unique_ptr<ArchiveWeb> web_;
};

Result<Response> stored_response(const StoredPage& page, ArchivedPages& archive,
                                 EarlierAnswers& earlier);
// The page of it; that of a document is its text.
Result<Page> stored_page(const StoredPage& page, ArchivedPages& archive, EarlierAnswers& earlier);

}  // namespace dowser
