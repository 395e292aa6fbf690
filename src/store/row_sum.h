#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "store/database.h"
#include "store/link_list.h"

// Checksums of rows, so that a byte that flips inside a cell is noticed: SQLite's own check sees
// the structure of a file, not what the cells say. Table `sums` of the catalogue holds one for each
// page, over its row in `pages` and its rows in `links`, and one for each run, under its id with a
// minus sign.

namespace dowser {

enum class SummedTable : uint8_t { kPages, kLinks, kRuns, kDocuments };

// The sum of a row: of its cells in any order, each with the number of its column (from 1) and its
// type.
class RowSum {
 public:
  explicit RowSum(SummedTable table) : table_(table) {}

  void add(int column, int64_t value);
  void add(int column, double value);
  void add(int column, std::string_view value);
  void add_null(int) {}

  uint64_t value() const;

 private:
  const SummedTable table_;
  uint64_t cells_ = 0;
};

// Binds the cells of a row to a statement and sums them on the way.
class SummedRow {
 public:
  SummedRow(Statement& statement, SummedTable table) : statement_(statement), sum_(table) {}

  SummedRow& bind(int index, int64_t value);
  SummedRow& bind(int index, double value);
  SummedRow& bind(int index, std::string_view value);
  SummedRow& bind_null(int index);
  SummedRow& bind(int index, std::optional<int64_t> value);

  Status run() { return statement_.run(); }
  uint64_t sum() const { return sum_.value(); }

 private:
  Statement& statement_;
  RowSum sum_;
};

using Cell = std::variant<std::monostate, int64_t, double, std::string>;
using Row = std::vector<Cell>;
Row row_of(const Statement& statement);  // the current row
uint64_t sum_of(const Row& row, SummedTable table);
uint64_t sum_of(const LinkRow& link, int64_t page, int64_t position);

// The rows of a page, as they appear in a catalogue. Columns are in the order of kPageColumns and
// kLinkColumns.
struct PageRows {
  Row page;
  std::vector<Row> links;
  std::optional<Row> document;  // of the table `documents`

  uint64_t sum() const;
};
inline constexpr std::string_view kPageColumns =
    "id, url, final_url, host, status, failure, content_type, bytes, truncated, fetched_at, depth, "
    "parent, score, score_2, score_3, score_4, relevance, relevant, label, reasons, language, "
    "charset, title, digest, archive_file, archive_offset, parent_link, canonical, "
    "near_duplicate_of, soft_404, relevance_at_fetch, relevant_at_fetch";
inline constexpr std::string_view kLinkColumns =
    "page, position, url, anchor, tag_path, nofollow, score, won, parts, refused";
inline constexpr std::string_view kDocumentColumns =
    "page, url, name, format, failure, detail, kind, confidence, accepted, kind_reasons, title, "
    "title_source, authors, authors_source, abstract, keywords, subject, year, year_source, "
    "bibliography, digest, same_bytes_as, other_format_of, found_on";
inline constexpr std::string_view kRunColumns = "id, started_at, finished_at, configuration";

// Their links, packed. An error if they are not what a catalogue can hold.
Status pack_links(const PageRows& rows, LinkListWriter& list);

// Reads pages of a catalogue with their links and their sums. Code that changes a row of a page
// puts `read(page)->sum()` into the table `sums` in the same transaction.
class PageReader {
 public:
  static Result<PageReader> open(Database& database);

  // Nothing if there is no such page.
  Result<std::optional<PageRows>> read(int64_t page);
  // The checksum in the catalogue; nothing if it has none.
  Result<std::optional<uint64_t>> stored_sum(int64_t page);
  // False in a catalogue from before there were sums.
  bool has_sums() const { return sum_.has_value(); }

 private:
  PageReader(Statement page, Statement links, std::optional<Statement> document,
             std::optional<Statement> sum)
      : page_(std::move(page)),
        links_(std::move(links)),
        document_(std::move(document)),
        sum_(std::move(sum)) {}

  Statement page_, links_;
  std::optional<Statement> document_;  // nothing in a catalogue from before there were documents
  std::optional<Statement> sum_;
};

}  // namespace dowser
