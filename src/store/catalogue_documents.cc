#include <limits>

#include "store/catalogue_reader.h"

// The part of CatalogueReader that reads the table `documents`.

namespace dowser {
namespace {

int64_t end_of(std::optional<uint32_t> visits) {
  return visits ? int64_t{*visits} : std::numeric_limits<int64_t>::max();
}

std::optional<uint32_t> visit_in(const Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return static_cast<uint32_t>(row.integer(column));
}

}  // namespace

Result<bool> CatalogueReader::has_documents() {
  Result<Statement> select =
      database_.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'documents'");
  if (!select) return select.error();
  return select->step();
}

Result<DocumentCounts> CatalogueReader::document_counts(std::optional<uint32_t> visits) {
  DocumentCounts c;
  const Result<bool> there = has_documents();
  if (!there) return there.error();
  if (!*there) return c;
  const int64_t end = end_of(visits);
  Status read = for_each_below(
      end,
      "SELECT COUNT(*), SUM(p.relevant AND p.near_duplicate_of IS NULL AND NOT p.soft_404), "
      "SUM(d.accepted), SUM(d.failure IS NOT NULL), SUM(d.same_bytes_as IS NOT NULL), "
      "SUM(d.other_format_of IS NOT NULL), SUM(p.bytes) "
      "FROM documents d JOIN pages p ON p.id = d.page WHERE d.page < ?1",
      [&](const Statement& row) {
        int column = 0;
        for (size_t* count :
             {&c.documents, &c.relevant, &c.accepted, &c.failed, &c.copies, &c.formats, &c.bytes}) {
          *count = static_cast<size_t>(row.integer(column++));
        }
      });
  if (read) {
    read = count_by_name(
        end, "SELECT kind, COUNT(*) FROM documents WHERE page < ?1 AND kind IS NOT NULL GROUP BY 1",
        c.kinds);
  }
  if (read) {
    read = count_by_name(end,
                         "SELECT failure, COUNT(*) FROM documents WHERE page < ?1 AND failure IS "
                         "NOT NULL GROUP BY 1",
                         c.failures);
  }
  if (!read) return read.error();
  return c;
}

Result<std::vector<CatalogueDocument>> CatalogueReader::best_documents(size_t most) {
  std::vector<CatalogueDocument> documents;
  const Result<bool> there = has_documents();
  if (!there) return there.error();
  if (!*there) return documents;
  Result<Statement> rows = database_.prepare(
      "SELECT d.page, d.url, d.name, d.format, d.failure, d.kind, d.title, d.authors, "
      "d.confidence, p.relevance, d.accepted, d.year, d.same_bytes_as, d.other_format_of, "
      "d.found_on FROM documents d JOIN pages p ON p.id = d.page "
      "WHERE d.accepted AND p.relevant AND p.near_duplicate_of IS NULL "
      "AND d.other_format_of IS NULL ORDER BY p.relevance DESC, d.page LIMIT ?1");
  if (!rows) return rows.error();
  rows->bind(1, static_cast<int64_t>(most));
  Status read = rows->for_each([&](const Statement& row) {
    CatalogueDocument& d = documents.emplace_back();
    d.page = static_cast<uint32_t>(row.integer(0));
    int column = 1;
    for (std::string* text :
         {&d.url, &d.name, &d.format, &d.failure, &d.kind, &d.title, &d.authors}) {
      *text = row.text(column++);
    }
    d.confidence = row.real(8);
    d.relevance = row.real(9);
    d.accepted = row.integer(10) != 0;
    d.year = static_cast<int>(row.integer(11));
    d.same_bytes_as = visit_in(row, 12);
    d.other_format_of = visit_in(row, 13);
    d.found_on = visit_in(row, 14);
  });
  if (!read) return read.error();
  return documents;
}

Result<std::map<std::string, std::map<int, size_t>>> CatalogueReader::document_years() {
  std::map<std::string, std::map<int, size_t>> years;
  const Result<bool> there = has_documents();
  if (!there) return there.error();
  if (!*there) return years;
  Result<Statement> rows = database_.prepare(
      "SELECT kind, COALESCE(year, 0), COUNT(*) FROM documents WHERE kind IS NOT NULL "
      "AND same_bytes_as IS NULL AND other_format_of IS NULL GROUP BY 1, 2");
  if (!rows) return rows.error();
  Status read = rows->for_each([&](const Statement& row) {
    years[row.text(0)][static_cast<int>(row.integer(1))] = static_cast<size_t>(row.integer(2));
  });
  if (!read) return read.error();
  return years;
}

}  // namespace dowser
