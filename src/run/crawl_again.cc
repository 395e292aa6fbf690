#include "run/crawl_again.h"

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "run/crawl_model.h"
#include "run/crawl_profile.h"
#include "run/run.h"
#include "store/stored_pages.h"

namespace dowser {

Result<CrawlConfig> config_to_crawl_again(const std::filesystem::path& folder) {
  Result<CrawlConfig> config = config_of(folder);
  if (!config) return config.error();
  Result<StoredPages> pages = StoredPages::open(folder);
  if (!pages) return pages.error();
  std::vector<std::string> seeds;
  const Status read = pages->each([&](const StoredPage& page) -> Status {
    if (page.found) seeds.push_back(page.url);
    return {};
  });
  if (!read) return read.error();
  seeds.insert(seeds.end(), config->seeds.begin(), config->seeds.end());
  absl::flat_hash_set<std::string> known;
  std::erase_if(seeds, [&](const std::string& seed) { return !known.insert(seed).second; });
  config->seeds = std::move(seeds);
  config->previous = {folder.string()};
  config->out.clear();
  std::error_code failed;
  if (const auto copy = folder / CrawlModel::kCopy; std::filesystem::exists(copy, failed)) {
    config->model = copy.string();
  }
  if (const auto copy = folder / CrawlProfile::kCopy; std::filesystem::exists(copy, failed)) {
    config->profile = copy.string();
  }
  return config;
}

}  // namespace dowser
