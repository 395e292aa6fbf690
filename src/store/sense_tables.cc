#include "store/sense_tables.h"

#include "store/catalogue_error.h"

namespace dowser {

const char kSenseSchema[] = R"sql(
CREATE TABLE IF NOT EXISTS senses (
  sense INTEGER PRIMARY KEY, pages INTEGER NOT NULL, words TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS sense_pages (
  page INTEGER PRIMARY KEY REFERENCES pages(id), sense INTEGER NOT NULL REFERENCES senses(sense),
  place INTEGER NOT NULL);
)sql";

Status write_senses(Database& database, std::span<const StoredSense> senses) {
  if (Status s = database.execute("DELETE FROM sense_pages; DELETE FROM senses"); !s) return s;
  Result<Statement> sense =
      database.prepare("INSERT INTO senses (sense, pages, words) VALUES (?1, ?2, ?3)");
  if (!sense) return sense.error();
  Result<Statement> page =
      database.prepare("INSERT INTO sense_pages (page, sense, place) VALUES (?1, ?2, ?3)");
  if (!page) return page.error();
  for (size_t i = 0; i < senses.size(); ++i) {
    const auto number = static_cast<int64_t>(i + 1);
    const auto size = static_cast<int64_t>(senses[i].pages.size());
    if (Status s = sense->bind(1, number).bind(2, size).bind(3, senses[i].words).run(); !s) {
      return s;
    }
    for (int64_t place = 0; place < size; ++place) {
      page->bind(1, int64_t{senses[i].pages[static_cast<size_t>(place)]}).bind(2, number);
      if (Status s = page->bind(3, place).run(); !s) return s;
    }
  }
  return {};
}

Result<std::vector<SenseOfPages>> read_senses(const std::filesystem::path& catalogue) {
  Result<Database> database = Database::open(catalogue);
  if (!database) return see_check(database.error(), catalogue);
  std::vector<SenseOfPages> senses;
  Result<Statement> there =
      database->prepare("SELECT COUNT(*) FROM sqlite_master WHERE name = 'sense_pages'");
  if (!there) return see_check(there.error(), catalogue);
  if (const Result<bool> row = there->step(); !row) return see_check(row.error(), catalogue);
  if (there->integer(0) == 0) return senses;
  Result<Statement> rows = database->prepare(
      "SELECT sense, words, final_url FROM senses JOIN sense_pages USING (sense) "
      "JOIN pages ON page = pages.id ORDER BY sense, place");
  if (!rows) return see_check(rows.error(), catalogue);
  Status read = rows->for_each([&](const Statement& row) {
    if (row.integer(0) > static_cast<int64_t>(senses.size())) senses.push_back({row.text(1), {}});
    senses.back().urls.push_back(row.text(2));
  });
  if (!read) return see_check(read.error(), catalogue);
  return senses;
}

}  // namespace dowser
