#pragma once

#include <filesystem>
#include <string>

#include "archive/cdxj.h"
#include "archive/warc_writer.h"
#include "base/result.h"

namespace dowser {

// The lines of index.cdxj as they come, in a file, so that an index costs no memory and survives a
// crash. They are sorted when the crawl ends.
class UnsortedIndex {
 public:
  static Result<UnsortedIndex> create(const std::filesystem::path& path);
  // Keeps the lines of an earlier crawl as far as the archive goes.
  static Result<UnsortedIndex> go_on(const std::filesystem::path& path, const ArchiveEnd& end);

  UnsortedIndex(UnsortedIndex&& other) noexcept;
  ~UnsortedIndex();

  void add(const CdxEntry& entry) { pending_ += entry.line() + '\n'; }
  Status flush();

  Status write_sorted(const std::filesystem::path& path);

 private:
  UnsortedIndex(std::filesystem::path path, int file) : path_(std::move(path)), file_(file) {}
  static Result<UnsortedIndex> open(const std::filesystem::path& path);

  std::filesystem::path path_;
  int file_;
  std::string pending_;
};

}  // namespace dowser
