#include "store/configuration.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/new_file.h"
#include "store/catalogue_reader.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

// What a process that was killed wanted to change, if the catalogue has the change.
Result<std::optional<std::string>> committed_change(const fs::path& crawl_folder) {
  std::error_code failed;
  if (!fs::exists(crawl_folder / kNextConfiguration, failed)) return std::optional<std::string>();
  Result<std::string> next = read_file(crawl_folder / kNextConfiguration);
  if (!next) return next.error();
  Result<CatalogueReader> catalogue = CatalogueReader::open(crawl_folder);
  if (!catalogue) return catalogue.error();
  const Result<std::vector<std::string>> runs = catalogue->configurations();
  if (!runs) return runs.error();
  const bool is_committed = !runs->empty() && runs->back() == *next;
  return is_committed ? std::optional(std::move(*next)) : std::nullopt;
}

}  // namespace

Status announce_configuration(const fs::path& crawl_folder, const std::string& text) {
  return replace_own_file(crawl_folder / kNextConfiguration, text);
}

Status adopt_configuration(const fs::path& crawl_folder) {
  std::error_code failed;
  fs::rename(crawl_folder / kNextConfiguration, crawl_folder / kConfiguration, failed);
  if (!failed) return sync_folder(crawl_folder);
  return Error{fmt::format("cannot write {}: {}", (crawl_folder / kConfiguration).string(),
                           failed.message())};
}

Status settle_configuration(const fs::path& crawl_folder) {
  const Result<std::optional<std::string>> change = committed_change(crawl_folder);
  if (!change) return change.error();
  if (*change) return adopt_configuration(crawl_folder);
  std::error_code failed;
  fs::remove(crawl_folder / kNextConfiguration, failed);
  return {};
}

Result<std::string> configuration_text(const fs::path& crawl_folder) {
  const Result<std::optional<std::string>> change = committed_change(crawl_folder);
  if (change && *change) return **change;
  return read_file(crawl_folder / kConfiguration);
}

}  // namespace dowser
