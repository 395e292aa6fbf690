#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace dowser {
namespace {

Error cannot(std::string_view what, const std::filesystem::path& path) {
  return {fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno))};
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) {
    return Error{fmt::format("cannot read {}: it is a folder", path.string())};
  }
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return cannot("read", path);
  std::string content;
  char buffer[1 << 16];
  ssize_t n = 0;
  while ((n = ::read(file, buffer, sizeof buffer)) != 0) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    content.append(buffer, static_cast<size_t>(n));
  }
  if (n < 0) {
    const Error failure = cannot("read", path);  // before errno changes
    ::close(file);
    return failure;
  }
  ::close(file);
  return content;
}

Status write_all(int file, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return cannot("write", path);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

Status sync_file(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannot("open", path);
  const Status status = fdatasync(fd) == 0 ? Status{} : Status(cannot("write", path));
  ::close(fd);
  return status;
}

Status sync_folder(const std::filesystem::path& folder) {
  const std::filesystem::path& named = folder.empty() ? std::filesystem::path(".") : folder;
  const int fd = ::open(named.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return cannot("open", named);
  Status status;
  // Some file systems (FUSE, network shares) cannot sync a folder and say EINVAL.
  if (fsync(fd) != 0 && errno != EINVAL) status = cannot("write", named);
  ::close(fd);
  return status;
}

Result<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return cannot("open", folder);
  if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(fd);
    return Error{fmt::format("{} is in use by another dowser process", folder.string())};
  }
  return FolderLock(fd);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

FolderLock::~FolderLock() {
  if (file_ >= 0) ::close(file_);
}

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannot("read", path);
  struct stat status;
  MappedFile file;
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(fd);
    return Error{fmt::format("cannot read {}: it is not a file", path.string())};
  }
  file.size_ = static_cast<size_t>(status.st_size);
  if (file.size_ > 0) {
    void* data = mmap(nullptr, file.size_, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) {
      file.size_ = 0;
      ::close(fd);
      return cannot("read", path);
    }
    file.data_ = static_cast<const char*>(data);
  }
  ::close(fd);
  return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_) munmap(const_cast<char*>(data_), size_);
}

}  // namespace dowser
