#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "base/result.h"

namespace dowser {

// Calls back with every link of the catalogue, in the order of the pages: the page that contains
// it, and its address without a fragment. Returning false ends it.
Status for_each_reference(const std::filesystem::path& crawl_folder,
                          const std::function<bool(uint32_t page, std::string_view url)>& use);

}  // namespace dowser
