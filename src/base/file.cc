#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
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
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) return cannot("read", path);
  std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) return cannot("read", path);
  return content;
}

Status write_file(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::path beside = path;
  beside += ".new";
  errno = 0;
  {
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    if (!out.flush()) {
      const Error error = cannot("write", path);
      ::unlink(beside.c_str());
      return error;
    }
  }
  std::error_code failed;
  std::filesystem::rename(beside, path, failed);
  if (!failed) return {};
  ::unlink(beside.c_str());
  return Error{fmt::format("cannot write {}: {}", path.string(), failed.message())};
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
