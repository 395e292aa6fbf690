#include "base/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/file.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBuffer = 1 << 20;
constexpr char kMark[] = "user.dowser";
constexpr char kUnfinished[] = "unfinished";  // the mark of a file that is being written
constexpr int kNames = 100;                   // of unfinished files for one target

Error cannot_write(const fs::path& path) {
  return Error{fmt::format("cannot write {}: {}", path.string(), std::strerror(errno))};
}

std::string mark_of(const struct stat& status) {
  return fmt::format("{} bytes at {}.{:09}", status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

// The mark of a file, or "".
std::string mark_on(const fs::path& path) {
  char value[128];
  const ssize_t size = lgetxattr(path.c_str(), kMark, value, sizeof value);
  return size > 0 ? std::string(value, static_cast<size_t>(size)) : std::string();
}

void set_mark(int file, std::string_view mark) {
  // A file system without attributes keeps none: then the file is never replaced.
  (void)fsetxattr(file, kMark, mark.data(), mark.size(), 0);
}

// Whether the path names something that must be written to and not be replaced by a file: a device,
// a pipe, or a file that this process has open, such as /dev/stdout.
bool is_written_in_place(const fs::path& path) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (!fs::exists(status)) return false;
  if (!fs::is_regular_file(status)) return true;
  const auto is_in_proc = [](const fs::path& place) {
    return place.native().starts_with("/proc/");
  };
  return is_in_proc(fs::canonical(path.parent_path(), failed)) ||
         (fs::is_symlink(path, failed) && is_in_proc(fs::read_symlink(path, failed)));
}

// Of a symbolic link the file that it leads to.
fs::path target_of(const fs::path& path) {
  std::error_code failed;
  const fs::path target = fs::canonical(path, failed);
  return failed ? path : target;
}

fs::path unfinished_name(const fs::path& target, int number) {
  return target.parent_path() / fmt::format(".{}.dowser-new{}", target.filename().string(),
                                            number == 0 ? "" : std::to_string(number));
}

// Removes what a process that was killed has left: a file with our mark or, since the mark comes
// after the file, an empty one. A file of this name that is not ours, or that another process is
// writing, stays.
bool remove_left_over(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status, now;
  // Once it is locked: another process may have removed or published it in the meantime.
  const bool is_free = flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &status) == 0 &&
                       lstat(path.c_str(), &now) == 0 && status.st_dev == now.st_dev &&
                       status.st_ino == now.st_ino;
  const bool is_ours =
      is_free && S_ISREG(status.st_mode) && (status.st_size == 0 || mark_on(path) == kUnfinished);
  const bool is_left = is_ours && ::unlink(path.c_str()) == 0;
  ::close(file);
  return is_left;
}

// Creates a file of this name and locks it. Returns -1 with errno if that fails, EEXIST if the name
// is taken.
int create_locked(const fs::path& path) {
  while (true) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0) return -1;
    // On a file system without locks the file counts as left over from the beginning.
    const bool is_locked = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    // Another process may have taken the empty file for one that was left over.
    struct stat status;
    if (is_locked && fstat(file, &status) == 0 && status.st_nlink > 0) return file;
    ::close(file);
  }
}

}  // namespace

Status is_no_link(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_symlink(path, failed)) return {};
  return Error{
      fmt::format("{} is a symbolic link, which is not followed for writing: put the file itself "
                  "there, or remove the link",
                  path.string())};
}

Status may_write(const fs::path& path) {
  if (is_written_in_place(path)) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) return {};
    return Error{fmt::format("{} is a folder: name a file", path.string())};
  }
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return errno == ENOENT ? is_no_link(path) : cannot_write(path);
  if (status.st_size == 0 || mark_on(target_of(path)) == mark_of(status)) return {};
  return Error{fmt::format(
      "{} exists already, and is not as Dowser wrote it: remove it, or name another file",
      path.string())};
}

Status mark_as_written(const fs::path& path) {
  struct stat status;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) != 0) return cannot_write(path);
  set_mark(file, mark_of(status));
  ::close(file);
  return {};
}

Result<UnfinishedFile> UnfinishedFile::create(fs::path named, Owner owner) {
  if (Status s = owner == Owner::kUser ? may_write(named) : is_no_link(named); !s) return s.error();
  fs::path target = target_of(named);
  for (int number = 0; number < kNames; ++number) {
    const fs::path path = unfinished_name(target, number);
    int file = create_locked(path);
    if (file < 0 && errno == EEXIST) {
      if (!remove_left_over(path)) continue;
      file = create_locked(path);
    }
    if (file >= 0) {
      set_mark(file, kUnfinished);
      return UnfinishedFile(std::move(target), path, owner, file);
    }
    if (errno != EEXIST) return cannot_write(named);
  }
  return Error{fmt::format("cannot write {}: remove the files {} and those like it", named.string(),
                           unfinished_name(target, 0).string())};
}

UnfinishedFile::UnfinishedFile(UnfinishedFile&& other) noexcept
    : target_(std::move(other.target_)),
      path_(std::move(other.path_)),
      owner_(other.owner_),
      file_(std::exchange(other.file_, -1)) {}

UnfinishedFile::~UnfinishedFile() {
  if (file_ < 0) return;
  ::unlink(path_.c_str());
  ::close(file_);
}

Status UnfinishedFile::publish() {
  struct stat status;
  if (fsync(file_) != 0 || fstat(file_, &status) != 0) return cannot_write(target_);
  // The target may have come or changed since create().
  if (Status s = owner_ == Owner::kUser ? may_write(target_) : is_no_link(target_); !s) return s;
  if (owner_ == Owner::kUser) {
    set_mark(file_, mark_of(status));
  } else {
    (void)fremovexattr(file_, kMark);
  }
  if (::rename(path_.c_str(), target_.c_str()) != 0) return cannot_write(target_);
  const int file = std::exchange(file_, -1);
  if (::close(file) != 0) return cannot_write(target_);
  return sync_folder(target_.parent_path());
}

Result<NewFile> NewFile::create(const fs::path& path, Owner owner) {
  NewFile file(path);
  if (owner == Owner::kUser && is_written_in_place(path)) {
    if (Status s = may_write(path); !s) return s.error();
    file.file_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file.file_ < 0) return cannot_write(path);
    return file;
  }
  Result<UnfinishedFile> beside = UnfinishedFile::create(path, owner);
  if (!beside) return beside.error();
  file.beside_ = std::make_unique<UnfinishedFile>(std::move(*beside));
  return file;
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      beside_(std::move(other.beside_)),
      file_(std::exchange(other.file_, -1)),
      buffer_(std::move(other.buffer_)) {}

NewFile::~NewFile() {
  if (file_ >= 0) ::close(file_);
}

Status NewFile::flush() {
  Status written = write_all(beside_ ? beside_->descriptor() : file_, buffer_, path_);
  buffer_.clear();
  return written;
}

Status NewFile::append(std::string_view bytes) {
  buffer_ += bytes;
  return buffer_.size() < kBuffer ? Status{} : flush();
}

Status NewFile::finish() {
  if (Status s = flush(); !s) return s;
  if (beside_) return beside_->publish();
  return ::close(std::exchange(file_, -1)) == 0 ? Status{} : Status{cannot_write(path_)};
}

namespace {

Status write_whole(const fs::path& path, std::string_view content, Owner owner) {
  Result<NewFile> file = NewFile::create(path, owner);
  if (!file) return file.error();
  if (Status s = file->append(content); !s) return s;
  return file->finish();
}

}  // namespace

Status write_file(const fs::path& path, std::string_view content) {
  return write_whole(path, content, Owner::kUser);
}

Status replace_own_file(const fs::path& path, std::string_view content) {
  return write_whole(path, content, Owner::kCrawl);
}

}  // namespace dowser
