// A library for LD_PRELOAD that makes file-system calls fail. It stands between a program and the C
// library, looks only at files below one folder, counts the calls, and lets one of them (or all
// from there on) fail as a disk would. tests/faults/README.md says how it is used; in short:
//
//   FAIL_BELOW=/folder   the files that are looked at; without it the library does nothing
//   FAIL_WITH=ENOSPC     an error of kErrors, or SHORT, INT, KILL, TEAR (see below)
//   FAIL_AT=17           the call that fails, counted from 1 over those that can fail in this way
//   FAIL_ON=...          `once` (the default) or `after` (this one and all that follow)
//   FAIL_LOG=/file       gets a line for each call that was made to fail: "number kind path";
//                        without FAIL_AT a line for each call that could
//   FAIL_SYNCED=/folder  gets a copy of each file as it was last synced, named by its inode
//
// SHORT  reads or writes only half of the bytes and says so, which POSIX allows.
// INT    sends the program SIGINT and makes the call.
// KILL   ends the program with SIGKILL before the call.
// TEAR   writes half of the bytes, then ends the program with SIGKILL.
//
// It must not be compiled with a sanitizer: with one, the sanitizer's own library is preloaded
// first.

#undef _FORTIFY_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdarg>

#include "tests/faults/fail_plan.h"

namespace dowser::faults {
namespace {

size_t half(size_t size) { return size > 1 ? size / 2 : size; }

mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}
const Kind& opens(int flags) { return flags & O_CREAT ? kCreate : kOpen; }

template <class Real>
int open_file(Real* real, const char* path, int flags, mode_t mode) {
  const int how = verdict_of(opens(flags), path);
  return how ? failed(how, -1) : real(path, flags, mode);
}

// Reads and writes; `transfer(n)` makes the real call with n bytes.
template <class Transfer>
ssize_t transfer_bytes(const Kind& kind, int fd, size_t size, Transfer&& transfer) {
  const int how = verdict_of(kind, fd);
  if (how == 0) return transfer(size);
  if (how == kShort) return transfer(half(size));
  if (how == kTear) {
    transfer(half(size));
    die();
  }
  return failed(how, ssize_t{-1});
}

template <class Real, class... Arguments>
int call(const Kind& kind, int fd, Real* real, Arguments... arguments) {
  const int how = verdict_of(kind, fd);
  return how ? failed(how, -1) : real(arguments...);
}
template <class Real, class... Arguments>
int call(const Kind& kind, const char* path, Real* real, Arguments... arguments) {
  const int how = verdict_of(kind, path);
  return how ? failed(how, -1) : real(arguments...);
}

using Open = int(const char*, int, ...);
using OpenAt = int(int, const char*, int, ...);
using Stat = int(const char*, struct stat*);
using StatOpen = int(int, struct stat*);
using Mmap = void*(void*, size_t, int, int, int, off_t);

void* map(Mmap* real, void* address, size_t size, int protection, int flags, int fd, off_t offset) {
  const int how = flags & MAP_ANONYMOUS ? 0 : verdict_of(kMap, fd);
  return how ? failed(how, MAP_FAILED) : real(address, size, protection, flags, fd, offset);
}

int control(int (*real)(int, int, ...), int fd, int command, void* argument) {
  const bool locks = command == F_SETLK || command == F_SETLKW || command == F_GETLK;
  const bool copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  const int how = locks ? verdict_of(kLock, fd) : copies ? verdict_of(kCopy, fd) : 0;
  return how ? failed(how, -1) : real(fd, command, argument);
}

template <class Real>
int sync(int fd, Real* real) {
  if (const int how = verdict_of(kSync, fd)) {
    errno = how;
    return -1;
  }
  keep_synced(fd);
  return real(fd);
}

}  // namespace
}  // namespace dowser::faults

using namespace dowser::faults;

// The C library's names from here on. Those with 64 are the same on a 64-bit machine.
extern "C" {

int open(const char* path, int flags, ...) {
  static auto* const real = next<Open>("open");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(real, path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  static auto* const real = next<Open>("open64");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(real, path, flags, mode);
}

int __open_2(const char* path, int flags) { return open(path, flags); }
int __open64_2(const char* path, int flags) { return open64(path, flags); }

int openat(int folder, const char* path, int flags, ...) {
  static auto* const real = next<OpenAt>("openat");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  const int how = verdict_of(opens(flags), folder, path);
  return how ? failed(how, -1) : real(folder, path, flags, mode);
}

int openat64(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return openat(folder, path, flags, mode);
}

int creat(const char* path, mode_t mode) { return open(path, O_WRONLY | O_CREAT | O_TRUNC, mode); }
int creat64(const char* path, mode_t mode) { return creat(path, mode); }

// The real call is made also where it fails: the descriptor is gone.
int close(int fd) {
  static auto* const real = next<int(int)>("close");
  const int how = verdict_of(kClose, fd);
  const int code = real(fd);
  return how ? failed(how, -1) : code;
}

ssize_t read(int fd, void* data, size_t size) {
  static auto* const real = next<ssize_t(int, void*, size_t)>("read");
  return transfer_bytes(kRead, fd, size, [&](size_t n) { return real(fd, data, n); });
}
ssize_t pread(int fd, void* data, size_t size, off_t offset) {
  static auto* const real = next<ssize_t(int, void*, size_t, off_t)>("pread");
  return transfer_bytes(kRead, fd, size, [&](size_t n) { return real(fd, data, n, offset); });
}
ssize_t pread64(int fd, void* data, size_t size, off_t offset) {
  return pread(fd, data, size, offset);
}
ssize_t write(int fd, const void* data, size_t size) {
  static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
  return transfer_bytes(kWrite, fd, size, [&](size_t n) { return real(fd, data, n); });
}
ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  static auto* const real = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return transfer_bytes(kWrite, fd, size, [&](size_t n) { return real(fd, data, n, offset); });
}
ssize_t pwrite64(int fd, const void* data, size_t size, off_t offset) {
  return pwrite(fd, data, size, offset);
}

// Short: half of the first piece.
ssize_t writev(int fd, const struct iovec* pieces, int count) {
  static auto* const real = next<ssize_t(int, const struct iovec*, int)>("writev");
  const size_t first = count > 0 ? pieces[0].iov_len : 0;
  return transfer_bytes(kWrite, fd, first, [&](size_t n) {
    const struct iovec piece { pieces[0].iov_base, n };
    return n == first ? real(fd, pieces, count) : real(fd, &piece, 1);
  });
}
ssize_t pwritev(int fd, const struct iovec* pieces, int count, off_t offset) {
  static auto* const real = next<ssize_t(int, const struct iovec*, int, off_t)>("pwritev");
  const size_t first = count > 0 ? pieces[0].iov_len : 0;
  return transfer_bytes(kWrite, fd, first, [&](size_t n) {
    const struct iovec piece { pieces[0].iov_base, n };
    return n == first ? real(fd, pieces, count, offset) : real(fd, &piece, 1, offset);
  });
}
ssize_t sendfile(int out, int in, off_t* offset, size_t size) {
  static auto* const real = next<ssize_t(int, int, off_t*, size_t)>("sendfile");
  return transfer_bytes(kWrite, out, size, [&](size_t n) { return real(out, in, offset, n); });
}
ssize_t copy_file_range(int in, off64_t* in_at, int out, off64_t* out_at, size_t size,
                        unsigned flags) {
  static auto* const real =
      next<ssize_t(int, off64_t*, int, off64_t*, size_t, unsigned)>("copy_file_range");
  return transfer_bytes(kWrite, out, size,
                        [&](size_t n) { return real(in, in_at, out, out_at, n, flags); });
}

int fsync(int fd) { return sync(fd, next<int(int)>("fsync")); }
int fdatasync(int fd) { return sync(fd, next<int(int)>("fdatasync")); }
// Without flags it does nothing, which RocksDB uses to ask whether it is there.
int sync_file_range(int fd, off64_t from, off64_t size, unsigned flags) {
  static auto* const real = next<int(int, off64_t, off64_t, unsigned)>("sync_file_range");
  return flags == 0 ? real(fd, from, size, flags) : call(kSync, fd, real, fd, from, size, flags);
}
int syncfs(int fd) noexcept { return call(kSync, fd, next<int(int)>("syncfs"), fd); }
int msync(void* address, size_t size, int flags) {
  return next<int(void*, size_t, int)>("msync")(address, size, flags);  // of no known file
}

int ftruncate(int fd, off_t size) noexcept {
  return call(kResize, fd, next<int(int, off_t)>("ftruncate"), fd, size);
}
int ftruncate64(int fd, off_t size) noexcept { return ftruncate(fd, size); }
int truncate(const char* path, off_t size) noexcept {
  return call(kResize, path, next<int(const char*, off_t)>("truncate"), path, size);
}
int truncate64(const char* path, off_t size) noexcept { return truncate(path, size); }
int fallocate(int fd, int mode, off_t offset, off_t size) {
  return call(kResize, fd, next<int(int, int, off_t, off_t)>("fallocate"), fd, mode, offset, size);
}
int fallocate64(int fd, int mode, off_t offset, off_t size) {
  return fallocate(fd, mode, offset, size);
}
int posix_fallocate(int fd, off_t offset, off_t size) {  // returns the error
  const int how = verdict_of(kResize, fd);
  return how ? how : next<int(int, off_t, off_t)>("posix_fallocate")(fd, offset, size);
}
int posix_fallocate64(int fd, off_t offset, off_t size) {
  return posix_fallocate(fd, offset, size);
}

int rename(const char* from, const char* to) noexcept {
  return call(kRename, to, next<int(const char*, const char*)>("rename"), from, to);
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  const int how = verdict_of(kRename, to_folder, to);
  return how ? failed(how, -1)
             : next<int(int, const char*, int, const char*)>("renameat")(from_folder, from,
                                                                         to_folder, to);
}
int link(const char* from, const char* to) noexcept {
  return call(kLink, to, next<int(const char*, const char*)>("link"), from, to);
}
int symlink(const char* from, const char* to) noexcept {
  return call(kLink, to, next<int(const char*, const char*)>("symlink"), from, to);
}
int unlink(const char* path) noexcept {
  return call(kRemove, path, next<int(const char*)>("unlink"), path);
}
int remove(const char* path) noexcept {
  return call(kRemove, path, next<int(const char*)>("remove"), path);
}
int rmdir(const char* path) noexcept {
  return call(kRemove, path, next<int(const char*)>("rmdir"), path);
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  const int how = verdict_of(kRemove, folder, path);
  return how ? failed(how, -1) : next<int(int, const char*, int)>("unlinkat")(folder, path, flags);
}
int mkdir(const char* path, mode_t mode) noexcept {
  return call(kMakeFolder, path, next<int(const char*, mode_t)>("mkdir"), path, mode);
}

DIR* opendir(const char* path) {
  const int how = verdict_of(kList, path);
  return how ? failed(how, nullptr) : next<DIR*(const char*)>("opendir")(path);
}
DIR* fdopendir(int fd) {
  const int how = verdict_of(kList, fd);
  return how ? failed(how, nullptr) : next<DIR*(int)>("fdopendir")(fd);
}
struct dirent* readdir(DIR* folder) {
  static auto* const real = next<struct dirent*(DIR*)>("readdir");
  const int how = verdict_of(kListNext, dirfd(folder));
  return how ? failed(how, nullptr) : real(folder);
}
struct dirent64* readdir64(DIR* folder) {
  return reinterpret_cast<struct dirent64*>(readdir(folder));
}

int stat(const char* path, struct stat* status) noexcept {
  return call(kStat, path, next<Stat>("stat"), path, status);
}
int lstat(const char* path, struct stat* status) noexcept {
  return call(kStat, path, next<Stat>("lstat"), path, status);
}
int fstat(int fd, struct stat* status) noexcept {
  return call(kStatOpen, fd, next<StatOpen>("fstat"), fd, status);
}
int fstatat(int folder, const char* path, struct stat* status, int flags) noexcept {
  const int how = verdict_of(kStat, folder, path);
  return how ? failed(how, -1)
             : next<int(int, const char*, struct stat*, int)>("fstatat")(folder, path, status,
                                                                         flags);
}
int stat64(const char* path, struct stat64* status) noexcept {
  return stat(path, reinterpret_cast<struct stat*>(status));
}
int lstat64(const char* path, struct stat64* status) noexcept {
  return lstat(path, reinterpret_cast<struct stat*>(status));
}
int fstat64(int fd, struct stat64* status) noexcept {
  return fstat(fd, reinterpret_cast<struct stat*>(status));
}
int fstatat64(int folder, const char* path, struct stat64* status, int flags) noexcept {
  return fstatat(folder, path, reinterpret_cast<struct stat*>(status), flags);
}
// What programs call that were linked with a glibc before 2.33.
int __xstat(int, const char* path, struct stat* status) noexcept { return stat(path, status); }
int __lxstat(int, const char* path, struct stat* status) noexcept { return lstat(path, status); }
int __fxstat(int, int fd, struct stat* status) noexcept { return fstat(fd, status); }
int __xstat64(int, const char* path, struct stat64* status) noexcept {
  return stat64(path, status);
}
int __lxstat64(int, const char* path, struct stat64* status) noexcept {
  return lstat64(path, status);
}
int __fxstat64(int, int fd, struct stat64* status) noexcept { return fstat64(fd, status); }
int statx(int folder, const char* path, int flags, unsigned mask, struct statx* status) noexcept {
  const int how = verdict_of(kStat, folder, path);
  return how ? failed(how, -1)
             : next<int(int, const char*, int, unsigned, struct statx*)>("statx")(
                   folder, path, flags, mask, status);
}
int access(const char* path, int mode) noexcept {
  return call(kStat, path, next<int(const char*, int)>("access"), path, mode);
}
int statvfs(const char* path, struct statvfs* status) noexcept {
  return call(kStat, path, next<int(const char*, struct statvfs*)>("statvfs"), path, status);
}

void* mmap(void* address, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  static auto* const real = next<Mmap>("mmap");
  return map(real, address, size, protection, flags, fd, offset);
}
void* mmap64(void* address, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  static auto* const real = next<Mmap>("mmap64");
  return map(real, address, size, protection, flags, fd, offset);
}

off_t lseek(int fd, off_t offset, int from) noexcept {
  static auto* const real = next<off_t(int, off_t, int)>("lseek");
  const int how = verdict_of(kSeek, fd);
  return how ? failed(how, off_t{-1}) : real(fd, offset, from);
}
off_t lseek64(int fd, off_t offset, int from) noexcept { return lseek(fd, offset, from); }

int flock(int fd, int operation) noexcept {
  return call(kLock, fd, next<int(int, int)>("flock"), fd, operation);
}
int fcntl(int fd, int command, ...) {
  static auto* const real = next<int(int, int, ...)>("fcntl");
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return control(real, fd, command, argument);
}
int fcntl64(int fd, int command, ...) {
  static auto* const real = next<int(int, int, ...)>("fcntl64");
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return control(real, fd, command, argument);
}
int dup(int fd) noexcept { return call(kCopy, fd, next<int(int)>("dup"), fd); }

}  // extern "C"
