#include "run/earlier_crawls.h"

#include <fmt/format.h>

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "model/url_canonical.h"
#include "store/database.h"

namespace dowser {
namespace {

Status add_finds(const std::filesystem::path& folder, size_t most,
                 std::vector<EarlierFind>& finds) {
  Result<Database> database = Database::open(folder / "catalogue.sqlite");
  if (!database) return database.error();
  Result<Statement> rows = database->prepare(
      "SELECT final_url, relevance FROM found ORDER BY relevance DESC, id LIMIT ?1");
  if (!rows) return rows.error();
  rows->bind(1, static_cast<int64_t>(most));
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return row.error();
    if (!*row) return {};
    // A catalogue that others have edited may hold what cannot be fetched.
    if (Result<Url> url = Url::parse(rows->text(0)); url && url->is_http()) {
      finds.push_back({std::move(*url), rows->real(1)});
    }
  }
}

}  // namespace

Result<std::vector<std::filesystem::path>> archive_files(std::span<const std::string> places) {
  std::vector<std::filesystem::path> files;
  for (const std::string& place : places) {
    std::error_code failed;
    if (std::filesystem::is_regular_file(place, failed)) {
      files.emplace_back(place);
      continue;
    }
    const size_t before = files.size();
    const auto archive = std::filesystem::path(place) / "archive";
    for (const auto& entry : std::filesystem::directory_iterator(archive, failed)) {
      files.push_back(entry.path());
    }
    if (failed) return Error{fmt::format("{} is no crawl: it has no archive", place)};
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

Result<std::vector<EarlierFind>> earlier_finds(std::span<const std::string> folders, size_t most) {
  std::vector<EarlierFind> all;
  for (const std::string& folder : folders) {
    if (Status s = add_finds(folder, most, all); !s) return s.error();
  }
  std::stable_sort(all.begin(), all.end(), [](const EarlierFind& a, const EarlierFind& b) {
    return a.relevance > b.relevance;
  });
  std::vector<EarlierFind> finds;
  absl::flat_hash_set<std::string> seen;
  for (EarlierFind& find : all) {
    if (finds.size() == most) break;
    if (seen.insert(seen_key(find.url)).second) finds.push_back(std::move(find));
  }
  return finds;
}

}  // namespace dowser
