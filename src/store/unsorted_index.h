#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "archive/cdxj.h"
#include "archive/warc_writer.h"
#include "base/result.h"

namespace dowser {

// The lines of index.cdxj in the order of the archive, in a file, so that an index costs no memory
// and survives a crash. They are sorted when the crawl ends.
//
// Each line carries a checksum of itself and of all lines before it, after a tab:
//
//   com,example)/ 20170306040206 {"url": …}<TAB>5ba1f9c2d3e4a607
//
// So a line that was changed, lost or swapped is noticed. From the first such line on the index is
// rebuilt from the archive. Lines without a checksum, of an older version, are taken as they are.
class UnsortedIndex {
 public:
  // New lines come after those that are there.
  static Result<UnsortedIndex> open(const std::filesystem::path& path,
                                    std::filesystem::path archive_folder);

  UnsortedIndex(UnsortedIndex&& other) noexcept;
  ~UnsortedIndex();

  void add(const CdxEntry& entry);
  Status flush();

  // Keeps the lines as far as the archive goes, which is up to `end`; the ones that are damaged or
  // missing are read from the archive.
  Status repair(const ArchiveEnd& end);
  // All lines up to the end of the archive, sorted and without checksums. Repairs itself first.
  Status write_sorted(const std::filesystem::path& path, const ArchiveEnd& end);

 private:
  UnsortedIndex(std::filesystem::path path, std::filesystem::path archive_folder, int file)
      : path_(std::move(path)), archive_folder_(std::move(archive_folder)), file_(file) {}

  std::filesystem::path path_;
  std::filesystem::path archive_folder_;
  int file_;
  uint64_t sum_ = 0;  // of the last line
  std::string pending_;
};

}  // namespace dowser
