#pragma once

#include <filesystem>

#include "base/result.h"

namespace dowser {

// Whether the files of a crawl may be written into this folder. Everything that changes a crawl
// asks before its first change. Error, with what to do, if one of the places that a crawl writes to
// is a symbolic link, or holds a file that no crawl has written: a folder may have been received
// from somebody else, and a person may have put files of their own into it.
Status may_write_into(const std::filesystem::path& crawl_folder);

// The same of links only, for a repair, which keeps what it replaces.
Status has_no_links(const std::filesystem::path& crawl_folder);

// Error if the file is one of those that make up a crawl, or would be: results go elsewhere.
Status is_no_part_of_a_crawl(const std::filesystem::path& file);

}  // namespace dowser
