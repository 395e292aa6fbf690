#include "store/stored_pages.h"

#include <fmt/format.h>

#include "store/catalogue_error.h"

namespace dowser {
namespace {

constexpr std::string_view kPages = R"sql(
SELECT id, url, final_url, host, status, failure, fetched_at, title, digest, relevance, relevant,
  relevant AND near_duplicate_of IS NULL AND NOT soft_404, archive_file, archive_offset
FROM pages ORDER BY id)sql";

}  // namespace

bool StoredPages::is_crawl(const std::filesystem::path& folder) {
  std::error_code failed;
  return std::filesystem::exists(folder / "catalogue.sqlite", failed);
}

Result<StoredPages> StoredPages::open(const std::filesystem::path& crawl_folder) {
  if (!is_crawl(crawl_folder)) {
    return Error{fmt::format("{} is not the folder of a crawl: it has no catalogue.sqlite",
                             crawl_folder.string())};
  }
  const std::filesystem::path catalogue = crawl_folder / "catalogue.sqlite";
  Result<Database> database = Database::open(catalogue);
  if (!database) return see_check(database.error(), catalogue);
  if (const Result<Statement> pages = database->prepare(kPages); !pages) {
    return see_check(pages.error(), catalogue);
  }
  return StoredPages(std::move(*database));
}

Status StoredPages::each(const std::function<Status(const StoredPage&)>& tell) {
  Result<Statement> rows = database_.prepare(kPages);
  if (!rows) return rows.error();
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return row.error();
    if (!*row) return {};
    StoredPage page;
    page.id = rows->integer(0);
    page.url = rows->text(1), page.final_url = rows->text(2), page.host = rows->text(3);
    if (!rows->is_null(4)) page.status = rows->integer(4);
    page.failure = rows->text(5);
    page.fetched_at = rows->text(6), page.title = rows->text(7), page.digest = rows->text(8);
    page.relevance = rows->real(9);
    page.relevant = rows->integer(10) != 0, page.found = rows->integer(11) != 0;
    page.archive_file = rows->text(12), page.archive_offset = rows->integer(13);
    if (Status s = tell(page); !s) return s;
  }
}

Status StoredPages::each_link(int64_t page, const std::function<void(std::string_view url)>& tell) {
  if (!links_) {
    Result<Statement> rows =
        database_.prepare("SELECT url FROM links WHERE page = ?1 ORDER BY position");
    if (!rows) return rows.error();
    links_.emplace(std::move(*rows));
  }
  links_->bind(1, page);
  while (true) {
    const Result<bool> row = links_->step();
    if (!row) return row.error();
    if (!*row) return {};
    tell(links_->text(0));
  }
}

}  // namespace dowser
