#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace dowser {

// One file out of a zip archive in memory, found by its exact name; an error if the archive is
// damaged, encrypted, or does not contain it. At most `limit` bytes are decompressed: a file whose
// declared size is larger is refused before anything is decompressed, and a file that is larger
// than it declares is cut off.
Result<std::string> read_zip_file(std::string_view archive, std::string_view name, size_t limit);

}  // namespace dowser
