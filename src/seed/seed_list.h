#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/url.h"

namespace dowser {

// The addresses where a crawl starts: those of `addresses` (--seed), then those of `file`
// (--seeds), which holds one address a line; empty lines and lines that begin with # are skipped.
// An empty path: no file. Every address must begin with http:// or https://, and there must be at
// least one.
Result<std::vector<Url>> read_seeds(std::span<const std::string> addresses,
                                    const std::filesystem::path& file);

}  // namespace dowser
