#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace dowser {

// A file that is written piece by piece beside its target ("NAME.new") and takes the place of the
// target when it is whole. One that is not finished leaves nothing. A target that is no file, such
// as a pipe or /dev/stdout, is written to directly.
class NewFile {
 public:
  static Result<NewFile> create(std::filesystem::path path);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  // Collects some bytes before it writes them.
  Status append(std::string_view bytes);
  // Waits until everything is on the disk, and renames.
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
