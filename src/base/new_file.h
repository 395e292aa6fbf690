#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace dowser {

// A file that is written piece by piece next to its target ("NAME.new") and replaces the target
// when it is complete. If it is not finished, it leaves nothing behind. A target that is not a
// regular file, such as a pipe or /dev/stdout, is written to directly.
class NewFile {
 public:
  static Result<NewFile> create(std::filesystem::path path);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  // Buffered.
  Status append(std::string_view bytes);
  // Waits until everything is on disk, then renames the file.
  Status finish();

 private:
  NewFile(std::filesystem::path path, int file) : path_(std::move(path)), file_(file) {}
  std::filesystem::path beside() const;
  Status flush();

  std::filesystem::path path_;
  int file_;               // -1: finished or moved from
  bool is_beside_ = true;  // it will be renamed
  std::string buffer_;
};

}  // namespace dowser
