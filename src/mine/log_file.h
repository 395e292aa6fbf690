#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"

// The lines of a log file, read from front to back. Plain or gzip (with one member or many, as in
// rotated logs), which is recognised by the first bytes. It uses one buffer, whatever the size of
// the file.

namespace dowser {

class LogFile {
 public:
  // "-" is standard input.
  static Result<LogFile> open(const std::filesystem::path& path);
  LogFile(LogFile&&) noexcept;
  LogFile& operator=(LogFile&&) noexcept;
  ~LogFile();

  // Longer lines, which are damaged or an attack, are cut to this length.
  static constexpr size_t kLongestLine = 64 << 10;

  struct Line {
    std::string_view text;    // without its line end; good until the next call
    bool shortened = false;   // it was longer than kLongestLine
    bool unfinished = false;  // the file ends without a line end after it
    bool zeros = false;       // preceded by zero bytes, as after a power cut of the server
  };
  // The next line, or nothing at the end of the file.
  std::optional<Line> next();
  // Some of the first bytes, without taking them.
  std::string_view peek();

  const std::filesystem::path& path() const;
  uint64_t bytes_read() const;   // of the file as it is on disk
  uint64_t bytes_total() const;  // 0: not known, as of a pipe
  // What ended the file early: a read error, or gzip data that is broken or cut. The lines before
  // it were read.
  const std::optional<Error>& error() const;

 private:
  struct Stream;
  explicit LogFile(std::unique_ptr<Stream> stream);
  std::unique_ptr<Stream> stream_;
};

}  // namespace dowser
