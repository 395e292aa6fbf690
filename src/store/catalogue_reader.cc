#include "store/catalogue_reader.h"

#include <fmt/format.h>

#include <limits>

#include "store/catalogue_error.h"

namespace dowser {
namespace {

constexpr std::string_view kColumns =
    "id, url, final_url, status, failure, title, language, label, fetched_at, depth, parent, "
    "parent_link, score, relevance, relevant, reasons, near_duplicate_of, soft_404, archive_file, "
    "archive_offset, {}";
// Version 2 had no verdicts at fetch.
constexpr std::string_view kAtFetch =
    "COALESCE(relevance_at_fetch, relevance), COALESCE(relevant_at_fetch, relevant)";
constexpr std::string_view kAtFetchBefore = "relevance, relevant";

constexpr std::string_view kNewPages =
    "pages WHERE status BETWEEN 200 AND 299 AND near_duplicate_of IS NULL AND NOT soft_404";

std::optional<uint32_t> id_in(const Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return static_cast<uint32_t>(row.integer(column));
}

// A row with kColumns.
CataloguePage page_in(const Statement& row) {
  CataloguePage page;
  page.id = static_cast<uint32_t>(row.integer(0));
  page.url = row.text(1);
  page.final_url = row.text(2);
  if (!row.is_null(3)) page.status = static_cast<int>(row.integer(3));
  page.failure = row.text(4);
  page.title = row.text(5);
  page.language = row.text(6);
  page.label = row.text(7);
  page.fetched_at = row.text(8);
  page.depth = static_cast<uint32_t>(row.integer(9));
  page.parent = id_in(row, 10);
  page.parent_link = static_cast<uint32_t>(row.integer(11));
  if (!row.is_null(12)) page.score = row.real(12);
  page.relevance = row.real(13);
  page.relevant = row.integer(14) != 0;
  page.reasons = row.text(15);
  page.near_duplicate_of = id_in(row, 16);
  page.soft_404 = row.integer(17) != 0;
  page.archive_file = row.text(18);
  page.archive_offset = static_cast<uint64_t>(row.integer(19));
  page.relevance_at_fetch = row.real(20);
  page.relevant_at_fetch = row.integer(21) != 0;
  return page;
}

// A row with page_url, page_title, … parts in the order of LinkOnPage.
LinkOnPage link_in(const Statement& row) {
  return {row.text(0), row.text(1),         row.real(2),
          row.text(3), row.text(4),         static_cast<uint32_t>(row.integer(5)),
          row.real(6), row.integer(7) != 0, row.text(8)};
}

int64_t end_of(std::optional<uint32_t> visits) {
  return visits ? int64_t{*visits} : std::numeric_limits<int64_t>::max();
}

int64_t limit(size_t most) {
  return static_cast<int64_t>(std::min<size_t>(most, std::numeric_limits<int64_t>::max()));
}

}  // namespace

Result<CatalogueReader> CatalogueReader::open(const std::filesystem::path& place) {
  std::error_code failed;
  const bool is_folder = std::filesystem::is_directory(place, failed);
  const std::filesystem::path file = is_folder ? place / "catalogue.sqlite" : place;
  Result<Database> database = Database::open(file);
  if (!database) {
    return is_folder && std::filesystem::exists(file, failed) ? see_check(database.error(), file)
                                                              : database.error();
  }
  const Result<bool> has_first = database->has_column("pages", "relevance_at_fetch");
  if (!has_first)
    return database->is_damaged() ? see_check(has_first.error(), file) : has_first.error();
  std::string columns = fmt::format(kColumns, *has_first ? kAtFetch : kAtFetchBefore);
  Result<Statement> page =
      database->prepare(fmt::format("SELECT {} FROM pages WHERE id = ?1", columns));
  if (!page) return see_check(page.error(), file);
  return CatalogueReader(std::move(*database), std::move(*page), std::move(columns));
}

Result<std::vector<bool>> CatalogueReader::harvest() {
  Result<Statement> rows = database_.prepare(
      "SELECT relevant AND near_duplicate_of IS NULL AND NOT soft_404 FROM fetched ORDER BY id");
  if (!rows) return rows.error();
  std::vector<bool> found;
  Status read = rows->for_each([&](const Statement& row) { found.push_back(row.integer(0) != 0); });
  if (!read) return read.error();
  return found;
}

Status CatalogueReader::for_each_below(int64_t end, std::string_view sql,
                                       const std::function<void(const Statement&)>& use) {
  Result<Statement> rows = database_.prepare(sql);
  if (!rows) return rows.error();
  rows->bind(1, end);
  return rows->for_each(use);
}

Status CatalogueReader::count_by_name(int64_t end, std::string_view sql,
                                      std::map<std::string, size_t>& counts) {
  return for_each_below(end, sql, [&](const Statement& row) {
    counts[row.text(0)] = static_cast<size_t>(row.integer(1));
  });
}

Result<size_t> CatalogueReader::relevant_at_fetch(uint32_t visits) {
  size_t relevant = 0;
  Status read = for_each_below(
      visits,
      fmt::format("SELECT {} FROM pages WHERE id < ?1 AND near_duplicate_of IS NULL AND NOT "
                  "soft_404",
                  columns_),
      [&](const Statement& row) { relevant += page_in(row).relevant_at_fetch; });
  if (!read) return read.error();
  return relevant;
}

Result<CatalogueCounts> CatalogueReader::page_counts(std::optional<uint32_t> visits) {
  CatalogueCounts c;
  const int64_t end = end_of(visits);
  Status read = for_each_below(
      end,
      "SELECT SUM(asked), COUNT(*) - SUM(asked), "
      "SUM(asked AND (status IS NULL OR status < 200 OR status > 299)), SUM(url != final_url), "
      "SUM(relevant AND near_duplicate_of IS NULL AND NOT soft_404), "
      "SUM(near_duplicate_of IS NOT NULL), SUM(soft_404), SUM(truncated), SUM(bytes) "
      "FROM (SELECT *, COALESCE(failure NOT IN ('robots', 'robots-failed'), 1) AS asked "
      "FROM pages WHERE id < ?1)",
      [&](const Statement& row) {
        int column = 0;
        for (size_t* count : {&c.fetched, &c.disallowed, &c.failed, &c.redirected, &c.relevant,
                              &c.near_duplicates, &c.soft_404, &c.truncated, &c.bytes}) {
          *count = static_cast<size_t>(row.integer(column++));
        }
      });
  if (read) {
    read = count_by_name(
        end, "SELECT failure, COUNT(*) FROM pages WHERE id < ?1 AND failure IS NOT NULL GROUP BY 1",
        c.failures);
  }
  if (read) {
    read = count_by_name(
        end, "SELECT status, COUNT(*) FROM pages WHERE id < ?1 AND status IS NOT NULL GROUP BY 1",
        c.statuses);
  }
  if (!read) return read.error();
  return c;
}

Result<CatalogueCounts> CatalogueReader::counts(std::optional<uint32_t> visits) {
  Result<CatalogueCounts> c = page_counts(visits);
  if (!c) return c;
  const int64_t end = end_of(visits);
  Status read = count_by_name(
      end, "SELECT refused, COUNT(*) FROM links WHERE page < ?1 AND refused IS NOT NULL GROUP BY 1",
      c->refused);
  if (read) {
    read = for_each_below(
        end, "SELECT COUNT(*) FROM links WHERE page < ?1",
        [&](const Statement& row) { c->links = static_cast<size_t>(row.integer(0)); });
  }
  if (!read) return read.error();
  return c;
}

Result<std::optional<CataloguePage>> CatalogueReader::page(VisitId id) {
  const Result<bool> found = page_by_id_.bind(1, int64_t{id.value}).step();
  if (!found) return found.error();
  if (!*found) return std::optional<CataloguePage>();
  std::optional<CataloguePage> page = page_in(page_by_id_);
  page_by_id_.reset();
  return page;
}

Result<std::optional<CataloguePage>> CatalogueReader::page_at(std::string_view url) {
  for (const char* condition : {"url = ?1", "final_url = ?1 ORDER BY id LIMIT 1"}) {
    Result<Statement> row =
        database_.prepare(fmt::format("SELECT {} FROM pages WHERE {}", columns_, condition));
    if (!row) return row.error();
    const Result<bool> found = row->bind(1, url).step();
    if (!found) return found.error();
    if (*found) return std::optional(page_in(*row));
  }
  return std::optional<CataloguePage>();
}

Result<std::vector<CataloguePage>> CatalogueReader::pages(std::string_view from, size_t most) {
  Result<Statement> rows =
      database_.prepare(fmt::format("SELECT {} FROM {} LIMIT ?1", columns_, from));
  if (!rows) return rows.error();
  rows->bind(1, limit(most));
  std::vector<CataloguePage> all;
  Status read = rows->for_each([&](const Statement& row) { all.push_back(page_in(row)); });
  if (!read) return read.error();
  return all;
}

Result<std::vector<CataloguePage>> CatalogueReader::best_pages(size_t most) {
  return pages("found ORDER BY relevance DESC, id", most);
}

Result<std::vector<double>> CatalogueReader::relevances() {
  Result<Statement> rows = database_.prepare(fmt::format("SELECT relevance FROM {}", kNewPages));
  if (!rows) return rows.error();
  std::vector<double> all;
  Status read = rows->for_each([&](const Statement& row) { all.push_back(row.real(0)); });
  if (!read) return read.error();
  return all;
}

Result<std::vector<CataloguePage>> CatalogueReader::borderline(bool relevant, double threshold,
                                                               size_t most) {
  return pages(fmt::format("{} AND relevant = {} ORDER BY ABS(relevance - {:.17g}), id", kNewPages,
                           int{relevant}, threshold),
               most);
}

// The order is as good as random, and the same each time.
Result<std::vector<CataloguePage>> CatalogueReader::sample_of_others(size_t most) {
  return pages(
      "pages WHERE relevant = 0 AND status = 200 AND archive_file IS NOT NULL "
      "ORDER BY (id * 7919) % 10007, id",
      most);
}

Status CatalogueReader::for_each_answer(const std::function<void(const CataloguePage&)>& use) {
  Result<Statement> rows = database_.prepare(
      fmt::format("SELECT {} FROM pages WHERE status BETWEEN 200 AND 299 ORDER BY id", columns_));
  if (!rows) return rows.error();
  return rows->for_each([&](const Statement& row) { use(page_in(row)); });
}

Result<std::vector<CatalogueHost>> CatalogueReader::hosts(size_t most) {
  Result<Statement> rows = database_.prepare(
      "SELECT host, pages, relevant, failed, bytes FROM hosts ORDER BY relevant DESC, pages DESC, "
      "host LIMIT ?1");
  if (!rows) return rows.error();
  rows->bind(1, limit(most));
  std::vector<CatalogueHost> hosts;
  Status read = rows->for_each([&](const Statement& row) {
    const auto number = [&](int column) { return static_cast<uint64_t>(row.integer(column)); };
    hosts.push_back({row.text(0), number(1), number(2), number(3), number(4)});
  });
  if (!read) return read.error();
  return hosts;
}

Result<size_t> CatalogueReader::host_count() {
  Result<Statement> row = database_.prepare("SELECT COUNT(*) FROM hosts");
  if (!row) return row.error();
  if (const Result<bool> found = row->step(); !found) return found.error();
  return static_cast<size_t>(row->integer(0));
}

Result<size_t> CatalogueReader::pages_of_host_before(const CataloguePage& page) {
  // The ids are the order of the visits. Without an index on hosts, only the pages before are read.
  Result<Statement> row = database_.prepare(
      "SELECT COUNT(*) FROM pages WHERE id < ?1 AND host = (SELECT host FROM pages WHERE id = ?1)");
  if (!row) return row.error();
  if (const Result<bool> found = row->bind(1, int64_t{page.id}).step(); !found) {
    return found.error();
  }
  return static_cast<size_t>(row->integer(0));
}

Result<std::string> CatalogueReader::largest_host() {
  Result<Statement> row =
      database_.prepare("SELECT host FROM hosts ORDER BY pages DESC, host LIMIT 1");
  if (!row) return row.error();
  const Result<bool> found = row->step();
  if (!found) return found.error();
  return *found ? row->text(0) : std::string();
}

Result<std::optional<LinkOnPage>> CatalogueReader::winning_link(const CataloguePage& page) {
  if (!page.parent) return std::optional<LinkOnPage>();
  Result<Statement> row = database_.prepare(
      "SELECT p.url, p.title, p.relevance, l.anchor, l.tag_path, l.position, l.score, l.won, "
      "l.parts FROM links l JOIN pages p ON p.id = l.page WHERE l.page = ?1 AND l.position = ?2");
  if (!row) return row.error();
  row->bind(1, int64_t{*page.parent}).bind(2, int64_t{page.parent_link});
  const Result<bool> found = row->step();
  if (!found) return found.error();
  if (!*found) return std::optional<LinkOnPage>();
  return std::optional(link_in(*row));
}

Result<CatalogueReader::LinksTo> CatalogueReader::links_to(std::string_view url, size_t most) {
  Result<Statement> rows = database_.prepare(
      "SELECT p.url, p.title, p.relevance, l.anchor, l.tag_path, l.position, l.score, l.won, "
      "l.parts, COUNT(*) OVER () FROM links l JOIN pages p ON p.id = l.page "
      "WHERE l.url = ?1 AND l.refused IS NULL "
      "GROUP BY p.id ORDER BY p.relevance DESC, p.id LIMIT ?2");
  if (!rows) return rows.error();
  rows->bind(1, url).bind(2, limit(most));
  LinksTo all;
  Status read = rows->for_each([&](const Statement& row) {
    all.links.push_back(link_in(row));
    all.pages = static_cast<size_t>(row.integer(9));
  });
  if (!read) return read.error();
  return all;
}

Result<std::vector<CatalogueReader::Neighbour>> CatalogueReader::neighbours(
    const CataloguePage& page) {
  std::vector<Neighbour> all;
  if (!page.parent) return all;
  Result<Statement> rows = database_.prepare(
      "SELECT l.position - ?2 AS places, q.url, q.relevance FROM links l JOIN pages q ON q.url = "
      "l.url WHERE l.page = ?1 AND l.position BETWEEN ?2 - 6 AND ?2 + 6 AND l.position <> ?2 AND "
      "q.id < ?3 GROUP BY q.id ORDER BY ABS(l.position - ?2), places LIMIT 6");
  if (!rows) return rows.error();
  rows->bind(1, int64_t{*page.parent}).bind(2, int64_t{page.parent_link}).bind(3, int64_t{page.id});
  Status read = rows->for_each([&](const Statement& row) {
    all.push_back({row.integer(0), row.text(1), row.real(2)});
  });
  if (!read) return read.error();
  return all;
}

Status CatalogueReader::for_each_link(const std::function<void(const PageLink&)>& use) {
  Result<Statement> rows = database_.prepare(
      "SELECT final_url, links.url, tag_path LIKE '%frame' FROM pages "
      "JOIN links ON page = pages.id WHERE status = 200 ORDER BY page");
  if (!rows) return rows.error();
  return rows->for_each([&](const Statement& row) {
    use({row.text(0), row.text(1), row.integer(2) != 0});
  });
}

Result<CatalogueReader::BoilerplateSample> CatalogueReader::boilerplate_sample() {
  Result<Statement> row = database_.prepare(
      "SELECT COUNT(*), COUNT(DISTINCT host), "
      "TOTAL((SELECT COUNT(*) FROM links WHERE page = id)) FROM boilerplate_pages");
  if (!row) return row.error();
  if (const Result<bool> found = row->step(); !found) return found.error();
  return BoilerplateSample{row->integer(0), row->integer(1), row->integer(2)};
}

Result<std::vector<std::string>> CatalogueReader::configurations() {
  Result<Statement> rows = database_.prepare("SELECT configuration FROM runs ORDER BY id");
  if (!rows) return rows.error();
  std::vector<std::string> all;
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return row.error();
    if (!*row) return all;
    all.push_back(rows->text(0));
  }
}

Result<Statement> CatalogueReader::table(std::string_view name, bool relevant_only) {
  for (const std::string_view known : {"pages", "links", "documents", "hosts", "runs"}) {
    if (name != known) continue;
    return database_.prepare(
        fmt::format("SELECT * FROM {}{}", name, relevant_only ? " WHERE relevant = 1" : ""));
  }
  return Error{
      fmt::format("there is no table '{}': choose pages, links, documents, hosts or runs", name)};
}

}  // namespace dowser
