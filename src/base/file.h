#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace dowser {

Result<std::string> read_file(const std::filesystem::path& path);

// Writes beside the target and renames: a reader sees the old content or the new, never a half.
Status write_file(const std::filesystem::path& path, std::string_view content);

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
