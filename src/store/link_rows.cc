#include "store/link_rows.h"

#include "store/catalogue_error.h"
#include "store/database.h"

namespace dowser {
namespace {

// Calls `use` for each row until it returns false.
Status for_each_row(const std::filesystem::path& catalogue, std::string_view sql,
                    const std::function<bool(const Statement&)>& use) {
  Result<Database> database = Database::open(catalogue);
  if (!database) return see_check(database.error(), catalogue);
  Result<Statement> rows = database->prepare(sql);
  if (!rows) return see_check(rows.error(), catalogue);
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return row.error();
    if (!*row || !use(*rows)) return {};
  }
}

}  // namespace

Status for_each_fetched_page(const std::filesystem::path& catalogue,
                             const std::function<bool(const FetchedPage&)>& use) {
  return for_each_row(catalogue,
                      "SELECT id, url, final_url, title, relevance, relevant FROM pages "
                      "WHERE status BETWEEN 200 AND 299 AND NOT soft_404 ORDER BY id",
                      [&](const Statement& row) {
                        return use({row.integer(0), row.view(1), row.view(2), row.view(3),
                                    row.real(4), row.integer(5) != 0});
                      });
}

Status for_each_link(const std::filesystem::path& catalogue,
                     const std::function<bool(const CatalogueLink&)>& use) {
  // The links of a page come in their order, here and below; asked for, it would cost a sort.
  return for_each_row(catalogue, "SELECT page, url, nofollow, tag_path FROM links ORDER BY page",
                      [&](const Statement& row) {
                        return use({row.integer(0), row.view(1), row.integer(2) != 0, row.view(3)});
                      });
}

}  // namespace dowser
