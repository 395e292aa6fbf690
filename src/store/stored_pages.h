#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/database.h"

// The rows of a catalogue, read for those who look at a crawl from outside.

namespace dowser {

struct StoredPage {
  int64_t id = 0;
  std::string url, final_url, host;
  std::optional<int64_t> status;
  std::string failure;  // "" if there was an answer
  std::string fetched_at, title, digest;
  double relevance = 0;
  bool relevant = false;
  bool found = false;  // relevant, and no copy and no soft 404
  std::string archive_file;
  int64_t archive_offset = 0;
};

class StoredPages {
 public:
  // Of a crawl's folder.
  static Result<StoredPages> open(const std::filesystem::path& crawl_folder);
  static bool is_crawl(const std::filesystem::path& folder);

  // In order of fetching. An error of the callback ends the reading.
  Status each(const std::function<Status(const StoredPage&)>& tell);
  // The addresses that a page links to, in order of its text.
  Status each_link(int64_t page, const std::function<void(std::string_view url)>& tell);

  Database& database() { return database_; }

 private:
  explicit StoredPages(Database database) : database_(std::move(database)) {}
  Database database_;
  std::optional<Statement> links_;
};

}  // namespace dowser
