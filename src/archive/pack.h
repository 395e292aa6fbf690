#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/progress.h"
#include "base/result.h"

// Turns a folder of HTML files into an archive that can be crawled: each file becomes the answer
// that a web server would give for it. The same files give the same bytes.

namespace dowser {

struct PackFolder {
  std::filesystem::path folder;
  std::string host;  // "docs.example.org", "docs.example.org:8080", "https://docs.example.org"
  std::string prefix = "/";  // where the folder stands on the host
};

struct PackOptions {
  std::vector<PackFolder> folders;
  std::filesystem::path to;  // an existing file is replaced only when everything is written
  bool all = false;          // every file, not only HTML
  std::optional<Time> date;  // of the records; otherwise that of the newest file
};

struct PackResult {
  struct Skipped {
    std::filesystem::path path;
    std::string why;
  };

  size_t pages = 0;
  size_t redirects = 0;  // of folders to their index page
  uint64_t bytes = 0;    // of the pages, unpacked
  uint64_t archive_bytes = 0;
  Time date;
  std::vector<Skipped> skipped;  // files that should have been pages but could not be packed
};

// DIR/a/b.html is http://HOST/PREFIX/a/b.html; so is DIR/a/b.html.gz, unpacked. A folder with an
// index page gets a redirect to it, so that the page exists only once. Symbolic links are followed
// as long as they stay in the folder and do not lead back to a folder that contains them.
Result<PackResult> pack(const PackOptions& options, const Watch& watch = keep_going);

}  // namespace dowser
