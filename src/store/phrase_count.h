#pragma once

#include <filesystem>

#include "base/result.h"
#include "store/database.h"

namespace dowser {

// Opens a database for reading in which SQL has the function phrase_count(words): how often the
// first phrase of the expression stands in the item that FTS5 has found, weighted by column.
Result<Database> open_with_phrase_count(const std::filesystem::path& path);

}  // namespace dowser
