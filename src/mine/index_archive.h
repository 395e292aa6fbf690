#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "archive/archive_index.h"
#include "base/result.h"
#include "model/page.h"

namespace dowser {

struct IndexArchiveOptions {
  // Called with every page before it is indexed, on several threads at once: may change the roles
  // of its blocks.
  std::function<void(Page&)> mark;
  // Called now and then, on the caller's thread; false ends the work.
  std::function<bool(size_t done, size_t of)> progress = [](size_t, size_t) { return true; };
  std::string_view source;  // what TextIndex::source() will return
};

// Writes the full-text index of all HTML and plain text pages of an archive that were answered with
// 200. False: `progress` ended it, and nothing was written. Pages that are broken are left out.
Result<bool> index_archive(const ArchiveSet& archive, const std::filesystem::path& index,
                           const IndexArchiveOptions& options);

}  // namespace dowser
