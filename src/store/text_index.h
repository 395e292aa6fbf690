#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/search_query.h"
#include "store/database.h"

// Counts the pages of a library that hold phrases: what the topic finder asks. The file is that of
// library_writer.h. docs/formats.md has its schema.

namespace dowser {

// One thread at a time.
class TextIndex {
 public:
  struct Match {
    std::string url, title;
  };

  static Result<TextIndex> open(const std::filesystem::path& path);

  uint64_t pages() const { return pages_; }
  const std::string& source() const { return source_; }

  // A phrase is found in the title, or within one block of the text; case, punctuation and
  // hyphens make no difference. A phrase without words is found nowhere.
  Result<uint64_t> count(const SearchQuery& query);
  // How many pages would match both if the two had nothing to do with each other: if, within every
  // host, the pages that match `b` were drawn at random, long ones with a higher probability, as
  // they hold any phrase more often.
  Result<double> expected_both(const SearchQuery& a, const SearchQuery& b);
  // The matches from `offset` on, at most `most`, the most relevant first (BM25; words of the
  // title count more).
  Result<std::vector<Match>> find(const SearchQuery& query, size_t offset, size_t most);

 private:
  TextIndex(Database database, Statement rows, Statement ranked, Statement page)
      : database_(std::move(database)),
        rows_(std::move(rows)),
        ranked_(std::move(ranked)),
        page_(std::move(page)) {}
  Status load();
  template <class Use>
  Status for_each_match(const SearchQuery& query, Use use);
  std::vector<bool> hosts_in(std::string_view domain) const;

  Database database_;
  Statement rows_, ranked_, page_;
  std::string source_;
  std::vector<std::string> hosts_;
  uint64_t pages_ = 0;
  std::vector<uint32_t> hosts_of_pages_;  // by id of the page, from 0: the place in hosts_
  std::vector<uint32_t> lengths_;         // likewise: words; kNoItem: there is no such page
  std::vector<uint64_t> words_of_hosts_;  // by the place in hosts_
  // Of each host, how much of its text stands on pages that match; of the query of last time.
  std::vector<double> shares_;
  std::string shares_of_;
};

}  // namespace dowser
