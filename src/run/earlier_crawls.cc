#include "run/earlier_crawls.h"

#include <fmt/format.h>

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "model/url_canonical.h"
#include "run/check_parts.h"
#include "store/catalogue_reader.h"
#include "store/statistics_tables.h"

namespace dowser {
namespace {

Status add_finds(const std::filesystem::path& folder, size_t most,
                 std::vector<EarlierFind>& finds) {
  Result<CatalogueReader> catalogue = CatalogueReader::open(folder);
  if (!catalogue) return catalogue.error();
  const auto pages = catalogue->best_pages(most);
  if (!pages) return pages.error();
  for (const CataloguePage& page : *pages) {
    // A catalogue that others have edited may hold what cannot be fetched.
    if (Result<Url> url = Url::parse(page.final_url); url && url->is_http()) {
      finds.push_back({std::move(*url), page.relevance});
    }
  }
  return {};
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
    const auto archive = std::filesystem::path(place) / "archive";
    if (!std::filesystem::is_directory(archive, failed))
      return Error{fmt::format("{} is neither an archive nor the folder of a crawl", place)};
    // Other files there are the user's own.
    const auto names = own_archive_files(archive);
    if (!names) return names.error();
    for (const std::string& name : *names) {
      if (!std::filesystem::exists(archive / name, failed)) {
        return Error{
            fmt::format("{} is a link to a file that is not there: put that file back, or "
                        "remove the link",
                        (archive / name).string())};
      }
      files.push_back(archive / name);
    }
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

Result<EarlierLists> earlier_lists(std::span<const std::string> folders) {
  EarlierLists all;
  for (const std::string& folder : folders) {
    const auto catalogue = std::filesystem::path(folder) / "catalogue.sqlite";
    Result<EarlierLists> lists = read_earlier_lists(catalogue);
    if (!lists) return lists.error();
    const auto append = [](auto& to, auto& from) {
      to.insert(to.end(), std::move_iterator(from.begin()), std::move_iterator(from.end()));
    };
    append(all.stop_directories, lists->stop_directories);
    append(all.avoid, lists->avoid);
    append(all.not_again, lists->not_again);
  }
  return all;
}

}  // namespace dowser
