#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/page.h"
#include "model/search_query.h"
#include "store/database.h"

// The full-text index of a collection of pages: one SQLite file with an FTS5 table. It is derived
// from an archive and can be deleted and built again at any time. The schema is in docs/formats.md,
// the design in text_index.cc.

namespace dowser {

// The words of a page as the index takes them. Making one is pure, so pages can be prepared on
// several threads while one thread writes.
struct IndexText {
  std::string url, host, title;
  // Words in lower case, separated by blanks, with a mark between two blocks. `other` holds
  // headers, footers, comments and what is known to be the template of the host; `content` all
  // else, lists of links included.
  std::string title_words, content, other;
  uint32_t length = 0;  // words of title and content
};
IndexText index_text(const Page& page);

class TextIndexWriter {
 public:
  // Writes to a file beside `path`, which finish() moves to its place. An index that is there
  // already is replaced then.
  static Result<TextIndexWriter> create(const std::filesystem::path& path);
  TextIndexWriter(TextIndexWriter&&) noexcept = default;
  ~TextIndexWriter();  // removes what was not finished

  Status add(const IndexText& page);
  // `source` says what was indexed; TextIndex::source() returns it.
  Status finish(std::string_view source);
  uint64_t pages() const { return pages_; }

 private:
  TextIndexWriter(std::filesystem::path path, std::filesystem::path temporary, Database database,
                  Statement page, Statement words)
      : path_(std::move(path)),
        temporary_(std::move(temporary)),
        database_(std::move(database)),
        insert_page_(std::move(page)),
        insert_words_(std::move(words)) {}

  std::filesystem::path path_, temporary_;
  std::optional<Database> database_;
  std::optional<Statement> insert_page_, insert_words_;
  uint64_t pages_ = 0;
};

// One thread at a time.
class TextIndex {
 public:
  struct Match {
    std::string url, title;
  };

  static Result<TextIndex> open(const std::filesystem::path& path);

  uint64_t pages() const { return hosts_of_pages_.size(); }
  const std::string& source() const { return source_; }

  // A phrase is found in the title, or within one block of the content; case, punctuation and
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
  std::vector<uint32_t> hosts_of_pages_;  // by id of the page, from 1 on: the place in hosts_
  std::vector<uint32_t> lengths_;         // likewise: words
  std::vector<uint64_t> words_of_hosts_;  // by the place in hosts_
  // Of each host, how much of its text stands on pages that match; of the query of last time.
  std::vector<double> shares_;
  std::string shares_of_;
};

}  // namespace dowser
