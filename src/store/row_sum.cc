#include "store/row_sum.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace dowser {
namespace {

enum CellType : uint64_t { kInteger, kReal, kText };

// kPageColumns, with NULL for those that a catalogue of an older version does not have: a NULL adds
// nothing to a sum.
Result<std::string> page_columns(Database& database) {
  std::string columns;
  for (std::string_view rest = kPageColumns; !rest.empty();) {
    const size_t end = std::min(rest.find(", "), rest.size());
    const std::string_view name = rest.substr(0, end);
    const Result<bool> there = database.has_column("pages", name);
    if (!there) return there.error();
    columns += columns.empty() ? "" : ", ";
    columns += *there ? name : "NULL";
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  return columns;
}

uint64_t seed(int column, CellType type) { return static_cast<uint64_t>(column) * 4 + type; }

uint64_t hash_number(const void* number, uint64_t seed) {
  return hash64({static_cast<const char*>(number), 8}, seed);
}

}  // namespace

void RowSum::add(int column, int64_t value) {
  cells_ += hash_number(&value, seed(column, kInteger));
}

void RowSum::add(int column, double value) {
  value += 0.0;  // SQLite gives -0.0 back as 0.0
  cells_ += hash_number(&value, seed(column, kReal));
}

void RowSum::add(int column, std::string_view value) {
  cells_ += hash64(value, seed(column, kText));
}

uint64_t RowSum::value() const { return hash_number(&cells_, static_cast<uint64_t>(table_)); }

SummedRow& SummedRow::bind(int index, int64_t value) {
  sum_.add(index, value);
  statement_.bind(index, value);
  return *this;
}

SummedRow& SummedRow::bind(int index, double value) {
  sum_.add(index, value);
  statement_.bind(index, value);
  return *this;
}

SummedRow& SummedRow::bind(int index, std::string_view value) {
  sum_.add(index, value);
  statement_.bind(index, value);
  return *this;
}

SummedRow& SummedRow::bind_null(int index) {
  sum_.add_null(index);
  statement_.bind_null(index);
  return *this;
}

SummedRow& SummedRow::bind(int index, std::optional<int64_t> value) {
  return value ? bind(index, *value) : bind_null(index);
}

Row row_of(const Statement& statement) {
  Row row;
  for (int i = 0; i < statement.columns(); ++i) {
    if (statement.is_null(i)) {
      row.emplace_back();
    } else if (!statement.is_number(i)) {
      // No cell is a blob; one that has become it must not pass for the same text.
      row.emplace_back((statement.is_blob(i) ? "blob " : "") + statement.text(i));
    } else if (statement.is_integer(i)) {
      row.emplace_back(statement.integer(i));
    } else {
      row.emplace_back(statement.real(i));
    }
  }
  return row;
}

uint64_t sum_of(const Row& row, SummedTable table) {
  RowSum sum(table);
  for (size_t i = 0; i < row.size(); ++i) {
    const int column = static_cast<int>(i) + 1;
    if (const auto* integer = std::get_if<int64_t>(&row[i])) sum.add(column, *integer);
    if (const auto* real = std::get_if<double>(&row[i])) sum.add(column, *real);
    if (const auto* text = std::get_if<std::string>(&row[i])) sum.add(column, *text);
  }
  return sum.value();
}

uint64_t sum_of(const LinkRow& link, int64_t page, int64_t position) {
  RowSum sum(SummedTable::kLinks);
  const auto add = [&](int column, std::string_view text) {
    if (!text.empty()) sum.add(column, text);
  };
  sum.add(1, page);
  sum.add(2, position);
  sum.add(3, link.url);
  add(4, link.anchor);
  add(5, link.tag_path);
  sum.add(6, int64_t{link.nofollow});
  if (link.score) sum.add(7, *link.score);
  sum.add(8, int64_t{link.won});
  add(9, link.parts);
  add(10, link.refused);
  return sum.value();
}

Status pack_links(const PageRows& rows, LinkListWriter& list) {
  const auto text = [](const Cell& cell) {
    const auto* found = std::get_if<std::string>(&cell);
    return found ? std::string_view(*found) : std::string_view();
  };
  const auto is_set = [](const Cell& cell) { return cell == Cell(int64_t{1}); };
  list.begin(text(rows.page.at(2)));
  for (size_t i = 0; i < rows.links.size(); ++i) {
    const Row& cells = rows.links[i];
    const auto* score = std::get_if<double>(&cells.at(6));
    const LinkRow link{text(cells[2]),   text(cells[3]),
                       text(cells[4]),   is_set(cells[5]),
                       text(cells[9]),   score ? std::optional(*score) : std::nullopt,
                       is_set(cells[7]), text(cells[8])};
    const auto position = static_cast<int64_t>(i);
    const auto* page = std::get_if<int64_t>(&cells[0]);
    if (!page || sum_of(link, *page, position) != sum_of(cells, SummedTable::kLinks)) {
      return Error{
          fmt::format("link {} of page {} in the catalogue is damaged: run dowser check, "
                      "then dowser check --repair",
                      i, std::get<int64_t>(rows.page.front()))};
    }
    list.add(link);
  }
  return {};
}

uint64_t PageRows::sum() const {
  uint64_t sum = sum_of(page, SummedTable::kPages);
  for (const Row& link : links) sum += sum_of(link, SummedTable::kLinks);
  if (document) sum += sum_of(*document, SummedTable::kDocuments);
  return sum;
}

Result<PageReader> PageReader::open(Database& database) {
  const Result<std::string> columns = page_columns(database);
  if (!columns) return columns.error();
  Result<Statement> page =
      database.prepare(fmt::format("SELECT {} FROM pages WHERE id = ?1", *columns));
  if (!page) return page.error();
  Result<Statement> links = database.prepare(
      fmt::format("SELECT {} FROM links WHERE page = ?1 ORDER BY position", kLinkColumns));
  if (!links) return links.error();
  std::optional<Statement> document, sum;
  if (Result<Statement> there = database.prepare(
          fmt::format("SELECT {} FROM documents WHERE page = ?1", kDocumentColumns))) {
    document.emplace(std::move(*there));
  }
  if (Result<Statement> there = database.prepare("SELECT sum FROM sums WHERE page = ?1")) {
    sum.emplace(std::move(*there));
  }
  return PageReader(std::move(*page), std::move(*links), std::move(document), std::move(sum));
}

Result<std::optional<PageRows>> PageReader::read(int64_t page) {
  PageRows rows;
  const Result<bool> there = page_.bind(1, page).step();
  if (!there) return there.error();
  if (!*there) return std::optional<PageRows>();
  rows.page = row_of(page_);
  page_.reset();
  links_.bind(1, page);
  while (true) {
    const Result<bool> link = links_.step();
    if (!link) return link.error();
    if (!*link) break;
    rows.links.push_back(row_of(links_));
  }
  if (document_) {
    const Result<bool> is_document = document_->bind(1, page).step();
    if (!is_document) return is_document.error();
    if (*is_document) rows.document = row_of(*document_);
    document_->reset();
  }
  return std::optional<PageRows>(std::move(rows));
}

Result<std::optional<uint64_t>> PageReader::stored_sum(int64_t page) {
  std::optional<uint64_t> sum;
  if (!sum_) return sum;
  const Result<bool> there = sum_->bind(1, page).step();
  if (!there) return there.error();
  if (*there) sum = static_cast<uint64_t>(sum_->integer(0));
  sum_->reset();
  return sum;
}

}  // namespace dowser
