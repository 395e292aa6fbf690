#include "run/crawl_profile.h"

#include <filesystem>

#include "base/file.h"

namespace dowser {

Result<CrawlProfile> CrawlProfile::read(const CrawlConfig& config) {
  if (config.profile.empty()) return CrawlProfile{};
  const auto copy = std::filesystem::path(config.out) / kCopy;
  std::error_code failed;
  const bool is_kept = std::filesystem::exists(copy, failed);
  Result<std::string> text = is_kept ? read_file(copy) : profile_text(config.profile);
  if (!text) return text.error();
  Result<Profile> profile = parse_profile(*text, is_kept ? copy.string() : config.profile);
  if (!profile) return profile.error();
  return CrawlProfile{std::move(*text), std::move(*profile)};
}

}  // namespace dowser
