#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace dowser {

// A file below a folder.
struct FolderFile {
  std::string name;            // relative to the folder, with '/'
  std::filesystem::path path;  // where it can be read
};

struct FolderFiles {
  std::vector<FolderFile> files;  // by name, in the order of its bytes
  struct Skipped {
    std::string name;
    std::string why;
  };
  std::vector<Skipped> skipped;
};

// All regular files below `folder`. Symbolic links are followed if they stay below it, and never in
// cycles; links that are not followed are listed.
Result<FolderFiles> list_files(const std::filesystem::path& folder);

}  // namespace dowser
