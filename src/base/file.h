#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace dowser {

Result<std::string> read_file(const std::filesystem::path& path);

// Writes beside the target ("NAME.new"), waits until it is on the disk, and renames: a reader sees
// the old content or the new, never a half, also after a power cut.
Status write_file(const std::filesystem::path& path, std::string_view content);

// Writes all bytes to an open file; `path` is for the message.
Status write_all(int file, std::string_view bytes, const std::filesystem::path& path);

// What anyone wrote to the file is on the disk when it returns.
Status sync_file(const std::filesystem::path& path);

// Files that were created, renamed or removed in the folder stay so after a power cut.
Status sync_folder(const std::filesystem::path& folder);

// A file in memory for reading; pages are loaded when touched.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view bytes() const { return {data_, size_}; }

 private:
  MappedFile() = default;
  const char* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace dowser
