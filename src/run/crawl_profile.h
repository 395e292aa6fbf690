#pragma once

#include <string>

#include "model/profile.h"
#include "run/config.h"

namespace dowser {

// The profile of a crawl (--profile). A crawl keeps a copy of it in its folder and reads that one
// when it is resumed, since the original may have changed.
struct CrawlProfile {
  static constexpr char kCopy[] = "profile.toml";

  std::string text;  // empty if the crawl has no profile
  Profile profile;

  static Result<CrawlProfile> read(const CrawlConfig& config);
};

}  // namespace dowser
