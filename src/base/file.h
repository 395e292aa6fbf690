#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace dowser {

// The most bytes that are read at once, so that no file that a person names takes all the memory:
// settings; lists, tables and other text; one page or document, or a list of addresses; what Dowser
// itself has written and may have grown, such as models and browsing sessions.
inline constexpr uint64_t kLargestSettings = uint64_t{16} << 20;
inline constexpr uint64_t kLargestText = uint64_t{64} << 20;
inline constexpr uint64_t kLargestDocument = uint64_t{256} << 20;
inline constexpr uint64_t kLargestData = uint64_t{1} << 30;

// The whole file. An error if it has more than `most` bytes, if it is a device with more than
// kLargestText (such as /dev/zero, which has no end), or if it is a pipe that nothing comes from:
// nobody writes to it, or nothing was written.
Result<std::string> read_file(const std::filesystem::path& path, uint64_t most = kLargestText);

// Writes all bytes to an open file; `path` is for the message.
Status write_all(int file, std::string_view bytes, const std::filesystem::path& path);

// Returns when everything that any process has written to the file is on disk.
Status sync_file(const std::filesystem::path& path);

// Makes the creation, renaming and removal of files in the folder survive a power cut.
Status sync_folder(const std::filesystem::path& folder);

// While it exists, no other process, and no other FolderLock of this process, can lock the folder.
// It ends with the process, even if that is killed.
class FolderLock {
 public:
  // Error if the folder is locked already. On a file system without locks it always succeeds.
  static Result<FolderLock> take(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  ~FolderLock();

 private:
  explicit FolderLock(int file) : file_(file) {}
  int file_;
};

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
