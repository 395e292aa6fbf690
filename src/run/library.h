#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "store/library_reader.h"

// The library of a crawl: DIR/library.sqlite, made from the catalogue, the archive and DIR/added.

namespace dowser {

struct LibraryOptions {
  std::filesystem::path file;  // empty: library.sqlite in the folder of the crawl
  bool rebuild = false;        // build it again, whatever is there
  Watch watch = keep_going;
  // Called with a sentence that the user should see: that a damaged library is being rebuilt, or
  // that it is older than the crawl and cannot be updated.
  std::function<void(const std::string&)> tell = [](const std::string&) {};
};

// Opens the library of a crawl. It is built if it is not there, cannot be used, or belongs to other
// pages; and brought up to date if the crawl has continued since, or files were added. Another
// process that builds the same library is waited for. Readers are never disturbed: a new library
// takes its place when it is complete, and what is appended is one transaction.
Result<LibraryReader> open_library(const std::filesystem::path& crawl_folder,
                                   const LibraryOptions& options);

// The file that `options` name.
std::filesystem::path library_file(const std::filesystem::path& crawl_folder,
                                   const LibraryOptions& options);

}  // namespace dowser
