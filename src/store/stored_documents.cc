#include "store/stored_documents.h"

#include <nlohmann/json.hpp>

#include "store/database.h"

namespace dowser {
namespace {

// ["Ada Lovelace", "Charles Babbage"] as "Ada Lovelace; Charles Babbage".
std::string joined_list(std::string_view json) {
  const nlohmann::json list = nlohmann::json::parse(json, nullptr, false);
  std::string joined;
  if (!list.is_array()) return joined;
  for (const nlohmann::json& name : list) {
    if (name.is_string()) joined += (joined.empty() ? "" : "; ") + name.get<std::string>();
  }
  return joined;
}

}  // namespace

Status for_each_document(const std::filesystem::path& catalogue,
                         const std::function<void(const StoredDocument&)>& use) {
  Result<Database> database = Database::open(catalogue);
  if (!database) return database.error();
  Result<Statement> table =
      database->prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'documents'");
  if (!table) return table.error();
  const Result<bool> exists = table->step();
  if (!exists) return exists.error();
  if (!*exists) return {};
  table->reset();
  Result<Statement> rows = database->prepare(
      "SELECT page, name, format, kind, title, authors, abstract, keywords, year FROM documents "
      "ORDER BY page");
  if (!rows) return rows.error();
  return rows->for_each([&](const Statement& row) {
    StoredDocument document;
    document.page = row.integer(0);
    document.name = row.text(1), document.format = row.text(2), document.kind = row.text(3);
    document.title = row.text(4), document.authors = joined_list(row.view(5));
    document.abstract = row.text(6), document.keywords = row.text(7);
    if (!row.is_null(8)) document.year = static_cast<int>(row.integer(8));
    use(document);
  });
}

}  // namespace dowser
