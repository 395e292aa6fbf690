#include "store/catalogue_audit.h"

#include <fmt/format.h>

#include "store/catalogue.h"

namespace dowser {
namespace {

// As Catalogue counts them.
constexpr std::string_view kHosts =
    "SELECT host, COUNT(*), SUM(relevant AND near_duplicate_of IS NULL AND NOT soft_404), "
    "SUM(status IS NULL OR status < 200 OR status >= 300), SUM(bytes) FROM pages GROUP BY host";
constexpr std::string_view kHostsKept = "SELECT host, pages, relevant, failed, bytes FROM hosts";

std::optional<int64_t> integer_in(const Row& row, size_t column) {
  const auto* value = column < row.size() ? std::get_if<int64_t>(&row[column]) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

}  // namespace

Result<CatalogueAudit> CatalogueAudit::open(const std::filesystem::path& file) {
  Result<Database> database = Database::open(file);
  if (!database) return database.error();
  if (Status s = database->execute("BEGIN"); !s) return s.error();
  return CatalogueAudit(std::move(*database));
}

Result<std::vector<Row>> CatalogueAudit::query(const std::string& sql) {
  Result<Statement> rows = database_.prepare(sql);
  if (!rows) return rows.error();
  std::vector<Row> all;
  Status read = rows->for_each([&](const Statement& row) { all.push_back(row_of(row)); });
  if (!read) return read.error();
  return all;
}

Result<int64_t> CatalogueAudit::number(const std::string& sql) {
  const auto rows = query(sql);
  if (!rows) return rows.error();
  return rows->empty() ? 0 : integer_in(rows->front(), 0).value_or(0);
}

Result<std::vector<std::string>> CatalogueAudit::structure_problems() {
  const auto rows = query("PRAGMA integrity_check(100)");
  if (!rows) return rows.error();
  std::vector<std::string> problems;
  for (const Row& row : *rows) {
    const auto* text = std::get_if<std::string>(&row[0]);
    if (text && *text != "ok") problems.push_back(*text);
  }
  const Result<int64_t> version = number("PRAGMA user_version");
  if (!version) return version.error();
  if (*version < kOldestCatalogueVersion || *version > kCatalogueVersion) {
    problems.push_back(fmt::format("its version is {} and should be {} to {}", *version,
                                   kOldestCatalogueVersion, kCatalogueVersion));
  }
  return problems;
}

Result<std::vector<std::string>> CatalogueAudit::schema_problems() {
  const Result<int64_t> version = number("PRAGMA user_version");
  if (!version) return version.error();
  const auto ours = catalogue_schema(static_cast<int>(*version)), found = schema_of(database_);
  if (!ours) return ours.error();
  if (!found) return found.error();
  std::vector<std::string> problems;
  for (const auto& [name, sql] : *ours) {  // the user may have added tables
    const auto it = found->find(name);
    const bool is_optional = name == "sums" || name == "progress";  // older versions lack them
    if (it == found->end() ? is_optional : it->second == sql) continue;
    problems.push_back(it == found->end() ? fmt::format("{} is missing", name)
                                          : fmt::format("{} is not as Dowser creates it", name));
  }
  return problems;
}

Result<CatalogueAudit::Numbering> CatalogueAudit::numbering() {
  const auto rows = query("SELECT COUNT(*), MAX(id) FROM pages");
  if (!rows) return rows.error();
  return Numbering{integer_in(rows->front(), 0).value_or(0),
                   integer_in(rows->front(), 1).value_or(0)};
}

Result<int64_t> CatalogueAudit::links_of_no_page(uint32_t visits) {
  return number(fmt::format("SELECT COUNT(*) FROM links WHERE page < 0 OR page >= {}", visits));
}

Result<int64_t> CatalogueAudit::wrong_hosts() {
  return number(fmt::format(
      "SELECT (SELECT COUNT(*) FROM ({0} EXCEPT {1})) + (SELECT COUNT(*) FROM ({1} EXCEPT {0}))",
      kHosts, kHostsKept));
}

std::optional<CatalogueAudit::Progress> CatalogueAudit::progress() {
  const auto rows = query("SELECT visits_synced, syncs FROM progress");
  if (!rows || rows->empty()) return std::nullopt;
  return Progress{integer_in(rows->front(), 0), integer_in(rows->front(), 1)};
}

Result<std::vector<Row>> CatalogueAudit::runs() {
  return query(fmt::format("SELECT {} FROM runs ORDER BY id", kRunColumns));
}

std::map<int64_t, int64_t> CatalogueAudit::run_sums() {
  std::map<int64_t, int64_t> sums;
  const auto rows = query("SELECT page, sum FROM sums WHERE page < 0");
  if (!rows) return sums;  // older versions have no such table
  for (const Row& row : *rows) {
    sums[-integer_in(row, 0).value_or(0)] = integer_in(row, 1).value_or(0);
  }
  return sums;
}

}  // namespace dowser
