#include "base/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/file.h"

namespace dowser {
namespace {

constexpr size_t kBuffer = 1 << 20;

Error cannot_write(const std::filesystem::path& path) {
  return Error{fmt::format("cannot write {}: {}", path.string(), std::strerror(errno))};
}

}  // namespace

Result<NewFile> NewFile::create(std::filesystem::path path) {
  NewFile file(std::move(path), -1);
  std::error_code failed;
  const auto kind = std::filesystem::status(file.path_, failed).type();
  file.is_beside_ =
      kind == std::filesystem::file_type::not_found || kind == std::filesystem::file_type::regular;
  file.file_ = file.is_beside_
                   ? ::open(file.beside().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)
                   : ::open(file.path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file.file_ < 0) return cannot_write(file.path_);
  return file;
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      is_beside_(other.is_beside_),
      buffer_(std::move(other.buffer_)) {}

NewFile::~NewFile() {
  if (file_ < 0) return;
  ::close(file_);
  if (is_beside_) ::unlink(beside().c_str());
}

std::filesystem::path NewFile::beside() const {
  std::filesystem::path beside = path_;
  beside += ".new";
  return beside;
}

Status NewFile::flush() {
  Status written = write_all(file_, buffer_, path_);
  buffer_.clear();
  return written;
}

Status NewFile::append(std::string_view bytes) {
  buffer_ += bytes;
  return buffer_.size() < kBuffer ? Status{} : flush();
}

Status NewFile::finish() {
  if (Status s = flush(); !s) return s;
  if (!is_beside_) {
    return ::close(std::exchange(file_, -1)) == 0 ? Status{} : Status{cannot_write(path_)};
  }
  if (fsync(file_) != 0) return cannot_write(path_);
  if (::rename(beside().c_str(), path_.c_str()) != 0) return cannot_write(path_);
  if (::close(std::exchange(file_, -1)) != 0) return cannot_write(path_);
  return sync_folder(path_.parent_path());
}

}  // namespace dowser
