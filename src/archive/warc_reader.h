#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/unpacker.h"
#include "archive/warc_record.h"
#include "base/file.h"
#include "base/result.h"

// Reads WARC files (1.0, 1.1, and the drafts before them), plain or gzip. Usually each record is a
// gzip member; one member for many records, or many members for one record, can be read as well.
//
// Nothing in a file is trusted. What is broken is noted with its offset and skipped: the
// records before it and after it are kept. Memory is bounded by the largest block, and that by a
// limit.

namespace dowser {

struct ArchiveError {
  uint64_t offset = 0;
  std::string message;
};

// Larger blocks are cut to this size and marked (WarcRecord::truncated).
inline constexpr uint64_t kBlockLimit = 256 << 20;

// A file may be damaged in very many places: all of them are skipped, but only this many are
// remembered.
inline constexpr size_t kMostErrors = 1000;

// Walks over the records of a file that is in memory.
class WarcCursor {
 public:
  WarcCursor(std::string_view file, uint64_t offset, uint64_t block_limit);

  // The next record, or nothing at the end.
  std::optional<WarcRecord> next();
  // The first kMostErrors of them, and how many there were.
  const std::vector<ArchiveError>& errors() const { return errors_; }
  uint64_t error_count() const { return error_count_; }
  void note(uint64_t offset, std::string message);
  // Skips unpacked bytes.
  void skip(uint64_t n);

  // The record that starts with the next bytes, but for line ends; nothing if none does, or not
  // a readable one.
  std::optional<WarcRecord> read_here();

 private:
  std::optional<WarcRecord> read_record();
  std::optional<std::string> read_head();
  bool read_block(WarcRecord& record, uint64_t length);
  uint64_t block_end(uint64_t length) const;
  bool find_end(RecordPlace& place);
  std::optional<size_t> next_member_record() const;
  void skip_line_ends(bool within_member);
  uint64_t skip_to_record();
  void forget_last_error();

  Unpacker stream_;
  uint64_t block_limit_;
  uint64_t content_end_ = 0;  // position in the stream after what was last read, without line ends
  std::vector<ArchiveError> errors_;
  uint64_t error_count_ = 0;
  uint64_t last_error_ = 0;  // its offset
};

class WarcReader {
 public:
  // Error if the file is not WARC.
  static Result<WarcReader> open(const std::filesystem::path& path, uint64_t limit = kBlockLimit);
  // `file` must outlive the reader; `name` is what errors call it.
  static Result<WarcReader> over(std::string_view file, std::string name,
                                 uint64_t limit = kBlockLimit);

  const std::string& name() const { return name_; }
  uint64_t size() const { return bytes().size(); }

  // The next record, or nothing at the end.
  std::optional<WarcRecord> next() { return cursor_.next(); }
  // The errors in what has been read so far: the first kMostErrors, and how many there were.
  const std::vector<ArchiveError>& errors() const { return cursor_.errors(); }
  uint64_t error_count() const { return cursor_.error_count(); }

  // The record at a place that next() gave. Any thread may call it, at any time.
  Result<WarcRecord> read_at(const RecordPlace& place) const;

 private:
  WarcReader(std::optional<MappedFile> mapped, std::string_view file, std::string name,
             uint64_t first, uint64_t limit);
  static Result<WarcReader> make(std::optional<MappedFile> mapped, std::string_view file,
                                 std::string name, uint64_t limit);
  std::string_view bytes() const { return mapped_ ? mapped_->bytes() : file_; }

  std::optional<MappedFile> mapped_;
  std::string_view file_;
  std::string name_;
  uint64_t limit_;
  WarcCursor cursor_;
};

}  // namespace dowser
