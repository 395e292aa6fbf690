#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace dowser {

// The configuration of a crawl is in two places, crawl.toml and the newest run of the catalogue,
// which change together: crawl.toml.next is written first, then the catalogue commits, then the
// file takes the place of crawl.toml. A process that is killed in between leaves crawl.toml.next,
// and the catalogue tells whether the change was made.

inline constexpr char kConfiguration[] = "crawl.toml", kNextConfiguration[] = "crawl.toml.next";

// Before and after the catalogue commits.
Status announce_configuration(const std::filesystem::path& crawl_folder, const std::string& text);
Status adopt_configuration(const std::filesystem::path& crawl_folder);

// Finishes or takes back what a killed process left. To be called with the lock of the folder.
Status settle_configuration(const std::filesystem::path& crawl_folder);

// The text of the configuration as it is, whoever was killed.
Result<std::string> configuration_text(const std::filesystem::path& crawl_folder);

}  // namespace dowser
