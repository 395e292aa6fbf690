#include "base/set_aside.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/file.h"
#include "base/new_file.h"

namespace dowser {
namespace {

using std::filesystem::path;

Error cannot(std::string_view what, const path& file) {
  return {fmt::format("cannot {} {}: {}", what, file.string(), std::strerror(errno))};
}

// Appends the bytes of `from` after `offset` to the new file `to`, and syncs it.
Status copy_from(const path& from, uint64_t offset, const path& to) {
  const int in = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (in < 0) return cannot("read", from);
  const int out = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  Status status = out < 0 ? Status(cannot("write", to)) : Status{};
  std::string piece(1 << 20, '\0');
  while (status.ok()) {
    const ssize_t n = ::pread(in, piece.data(), piece.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) status = cannot("read", from);
    if (n <= 0) break;
    offset += static_cast<uint64_t>(n);
    status = write_all(out, std::string_view(piece).substr(0, static_cast<size_t>(n)), to);
  }
  if (status.ok() && fsync(out) != 0) status = cannot("write", to);
  if (out >= 0 && ::close(out) != 0 && status.ok()) status = cannot("write", to);
  ::close(in);
  return status;
}

}  // namespace

SetAside::SetAside(path folder, Time now) {
  const std::string digits = to_cdx_timestamp(now);
  folder_ = std::move(folder) / "set-aside" /
            fmt::format("{}T{}Z", digits.substr(0, 8), digits.substr(8));
}

Result<path> SetAside::path_for(const std::string& name) {
  if (made_) return folder_ / name;
  const path wanted = folder_;
  if (Status s = is_no_link(wanted.parent_path()); !s) return s.error();
  std::error_code failed;
  std::filesystem::create_directories(wanted.parent_path(), failed);
  // Two recoveries within a second have folders of their own.
  for (int n = 2; ::mkdir(folder_.c_str(), 0755) != 0; ++n) {
    if (errno != EEXIST) return cannot("make the folder", folder_);
    folder_ = wanted;
    folder_ += fmt::format("-{}", n);
  }
  made_ = true;
  if (Status s = sync_folder(wanted.parent_path().parent_path()); !s) return s.error();
  if (Status s = sync_folder(wanted.parent_path()); !s) return s.error();
  return folder_ / name;
}

Status SetAside::cut(const path& file, uint64_t offset) {
  std::error_code failed;
  const uint64_t size = std::filesystem::file_size(file, failed);
  if (failed) {
    return Error{fmt::format("cannot read {}: {}", file.string(), failed.message())};
  }
  if (size <= offset) return {};
  const Result<path> to = path_for(fmt::format("{}.from-{}", file.filename().string(), offset));
  if (!to) return to.error();
  if (Status s = copy_from(file, offset, *to); !s) return s;
  if (Status s = sync_folder(folder_); !s) return s;
  if (::truncate(file.c_str(), static_cast<off_t>(offset)) != 0) return cannot("cut", file);
  bytes_ += size - offset;
  return {};
}

Status SetAside::move(const path& file) {
  std::error_code failed;
  const bool is_file = std::filesystem::is_regular_file(file, failed);
  const uint64_t size = is_file ? std::filesystem::file_size(file, failed) : 0;
  const Result<path> to = path_for(file.filename());
  if (!to) return to.error();
  if (::rename(file.c_str(), to->c_str()) != 0) {
    if (errno != EXDEV || !is_file) return cannot("move", file);
    // The archive may lie on another disk.
    if (Status s = copy(file); !s) return s;
    if (::unlink(file.c_str()) != 0) return cannot("remove", file);
  }
  bytes_ += size;
  if (Status s = sync_folder(folder_); !s) return s;
  return sync_folder(file.parent_path());
}

Status SetAside::copy(const path& file) {
  const Result<path> to = path_for(file.filename());
  if (!to) return to.error();
  if (Status s = copy_from(file, 0, *to); !s) return s;
  return sync_folder(folder_);
}

}  // namespace dowser
