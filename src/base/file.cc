#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace dowser {
namespace {

Error cannot(std::string_view what, const std::filesystem::path& path) {
  return {fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno))};
}

struct OpenFile {
  explicit OpenFile(int file) : number(file) {}
  ~OpenFile() {
    if (number >= 0) ::close(number);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  const int number;
};

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, uint64_t most) {
  // Without O_NONBLOCK, opening a pipe waits until somebody writes to it.
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat about;
  if (file.number < 0 || fstat(file.number, &about) != 0) return cannot("read", path);
  const auto refuse = [&path](std::string_view why) {
    return Error{fmt::format("cannot read {}: {}", path.string(), why)};
  };
  if (S_ISDIR(about.st_mode)) return refuse("it is a folder");
  if (S_ISCHR(about.st_mode)) most = std::min(most, kLargestText);
  const std::string too_long =
      fmt::format("it has more than {} MiB, which is too much for such a file", most >> 20);
  if (S_ISREG(about.st_mode) && static_cast<uint64_t>(about.st_size) > most)
    return refuse(too_long);
  std::string content;
  if (S_ISREG(about.st_mode)) content.reserve(static_cast<size_t>(about.st_size));
  char buffer[1 << 16];
  while (true) {
    const ssize_t n = ::read(file.number, buffer, sizeof buffer);
    if (n > 0) {
      content.append(buffer, static_cast<size_t>(n));
      if (content.size() > most) return refuse(too_long);
    } else if (n == 0) {
      const bool is_idle = S_ISFIFO(about.st_mode) && content.empty();
      return is_idle ? Result<std::string>(refuse("it is a pipe that nothing comes from"))
                     : std::move(content);
    } else if (errno == EAGAIN) {
      pollfd ready{file.number, POLLIN, 0};
      (void)::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return cannot("read", path);
    }
  }
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
  // Without O_NONBLOCK, opening a pipe waits until somebody writes to it.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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
