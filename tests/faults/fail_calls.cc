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
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

// A kind of call and the ways in which it can fail.
struct Kind {
  const char* name;
  const char* ways;
};
constexpr Kind kOpen{"open", "EIO EMFILE EACCES EINTR"};
constexpr Kind kCreate{"create", "EIO EMFILE EACCES EINTR ENOSPC"};
constexpr Kind kRead{"read", "EIO EINTR SHORT"};
constexpr Kind kWrite{"write", "EIO ENOSPC EINTR SHORT TEAR"};
constexpr Kind kSync{"sync", "EIO ENOSPC"};
constexpr Kind kResize{"resize", "EIO ENOSPC EINTR"};
constexpr Kind kRename{"rename", "EIO ENOSPC EACCES"};
constexpr Kind kLink{"link", "EIO ENOSPC EACCES"};
constexpr Kind kRemove{"remove", "EIO EACCES"};
constexpr Kind kMakeFolder{"mkdir", "EIO ENOSPC EACCES"};
constexpr Kind kList{"list", "EIO EACCES EMFILE"};
constexpr Kind kListNext{"list-next", "EIO"};
constexpr Kind kStat{"stat", "EIO EACCES"};
constexpr Kind kStatOpen{"fstat", "EIO"};
constexpr Kind kMap{"map", "EIO ENOMEM"};
constexpr Kind kSeek{"seek", "EIO"};
constexpr Kind kClose{"close", "EIO"};
constexpr Kind kLock{"lock", "EIO EACCES"};
constexpr Kind kCopy{"dup", "EMFILE"};

struct Error {
  const char* name;
  int number;
};
constexpr Error kErrors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EMFILE", EMFILE},
                             {"EACCES", EACCES}, {"EINTR", EINTR},   {"ENOMEM", ENOMEM}};

constexpr int kShort = -1;  // beside the numbers of errors
constexpr int kTear = -2;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

struct Plan {
  const char* below = nullptr;
  size_t below_size = 0;
  const char* with = "";
  int error = 0;
  long at = 0;
  bool after = false;
  int log = -1;
  const char* synced = nullptr;
  std::atomic<long> calls{0};

  // Called once, by the constructor below: what runs before it is not looked at.
  void read_environment() {
    if (const char* way = getenv("FAIL_WITH")) with = way;
    for (const Error& e : kErrors) {
      if (strcmp(with, e.name) == 0) error = e.number;
    }
    if (const char* number = getenv("FAIL_AT")) at = atol(number);
    if (const char* on = getenv("FAIL_ON")) after = strcmp(on, "after") == 0;
    if (const char* file = getenv("FAIL_LOG")) {
      static auto* const real = next<int(const char*, int, ...)>("open");
      log = real(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    }
    synced = getenv("FAIL_SYNCED");
    if (const char* folder = getenv("FAIL_BELOW")) {
      below_size = strlen(folder);
      below = folder;
    }
  }

  bool looks_at(const char* path) const {
    return strncmp(path, below, below_size) == 0 &&
           (path[below_size] == '/' || path[below_size] == '\0');
  }

  bool is_signal() const { return strcmp(with, "INT") == 0 || strcmp(with, "KILL") == 0; }

  void write_down(long number, const Kind& kind, const char* path) const {
    if (log < 0) return;
    char line[PATH_MAX + 64];
    const int size = snprintf(line, sizeof line, "%ld %s %s\n", number, kind.name, path);
    static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
    (void)!real(log, line, static_cast<size_t>(size));
  }

  // How this call must fail: 0 (not at all), an error, kShort or kTear.
  int verdict(const Kind& kind, const char* path) {
    if (!looks_at(path)) return 0;
    if (!is_signal() && !strstr(kind.ways, with)) return 0;
    const long number = ++calls;
    if (at == 0) write_down(number, kind, path);
    if (at == 0 || (number != at && !(after && number > at))) return 0;
    if (number == at) write_down(number, kind, path);
    if (strcmp(with, "INT") == 0) kill(getpid(), SIGINT);
    if (strcmp(with, "KILL") == 0) die();
    if (strcmp(with, "SHORT") == 0) return kShort;
    if (strcmp(with, "TEAR") == 0) return kTear;
    return error;
  }

  [[noreturn]] static void die() {
    kill(getpid(), SIGKILL);
    while (true) pause();
  }
};

Plan plan;
__attribute__((constructor)) void begin() { plan.read_environment(); }

// The path of an open file, also of a copy of its descriptor, as the kernel knows it.
bool path_of(int fd, char (&path)[PATH_MAX]) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return false;
  path[size] = '\0';
  return true;
}

int verdict_of(const Kind& kind, int fd) {
  if (!plan.below || fd < 0) return 0;
  const int before = errno;
  char path[PATH_MAX];
  const int how = path_of(fd, path) ? plan.verdict(kind, path) : 0;
  errno = before;
  return how;
}

// `folder` is the one a relative path begins at, or AT_FDCWD.
int verdict_of(const Kind& kind, int folder, const char* path) {
  if (!plan.below || !path) return 0;
  if (path[0] == '/') return plan.verdict(kind, path);
  const int before = errno;
  char whole[PATH_MAX];
  const bool known = folder == AT_FDCWD ? getcwd(whole, sizeof whole) != nullptr
                                        : folder >= 0 && path_of(folder, whole);
  int how = 0;
  if (known && strlen(whole) + strlen(path) + 2 < sizeof whole) {
    if (*path) strcat(strcat(whole, "/"), path);
    how = plan.verdict(kind, whole);
  }
  errno = before;
  return how;
}
int verdict_of(const Kind& kind, const char* path) { return verdict_of(kind, AT_FDCWD, path); }

int verdict_of(const Kind& kind, FILE* file) { return verdict_of(kind, fileno(file)); }

// Keeps a copy of the file as it is now, just before it is synced: what a power cut leaves of it.
void keep_synced(int fd) {
  char path[PATH_MAX], copy[PATH_MAX], ready[PATH_MAX], piece[65536];
  struct stat status;
  static auto* const real_stat = next<int(int, struct stat*)>("fstat");
  if (!plan.synced || !path_of(fd, path) || !plan.looks_at(path)) return;
  if (real_stat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return;
  snprintf(ready, sizeof ready, "%s/%lu", plan.synced, status.st_ino);
  snprintf(copy, sizeof copy, "%s/%lu.%d", plan.synced, status.st_ino, gettid());
  static auto* const real_open = next<int(const char*, int, ...)>("open");
  static auto* const real_close = next<int(int)>("close");
  static auto* const real_read = next<ssize_t(int, void*, size_t, off_t)>("pread");
  static auto* const real_write = next<ssize_t(int, const void*, size_t)>("write");
  static auto* const real_rename = next<int(const char*, const char*)>("rename");
  const int in = real_open(path, O_RDONLY | O_CLOEXEC);  // `fd` may be for writing only
  const int out = real_open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  off_t at = 0;
  for (ssize_t n; (n = real_read(in, piece, sizeof piece, at)) > 0; at += n) {
    (void)!real_write(out, piece, static_cast<size_t>(n));
  }
  real_close(in);
  real_close(out);
  real_rename(copy, ready);
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

// What a call returns that fails; a short one is not for it.
template <class Value>
Value failed(int error, Value value) {
  errno = error > 0 ? error : EIO;
  return value;
}

size_t half(size_t size) { return size > 1 ? size / 2 : size; }

// A FILE that has met an error says so with ferror(): glibc's own mark.
constexpr int kErrorSeen = 0x20;
void mark(FILE* file, int error) {
  file->_flags |= kErrorSeen;
  errno = error > 0 ? error : EIO;
}

mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}
const Kind& opens(int flags) { return flags & O_CREAT ? kCreate : kOpen; }
const Kind& opens(const char* mode) { return mode[0] == 'r' ? kOpen : kCreate; }

template <class Real>
int open_file(Real* real, const char* path, int flags, mode_t mode) {
  const int how = verdict_of(opens(flags), path);
  return how ? failed(how, -1) : real(path, flags, mode);
}

template <class Real>
FILE* open_stream(Real* real, const char* path, const char* mode) {
  const int how = verdict_of(opens(mode), path);
  return how ? failed(how, nullptr) : real(path, mode);
}

// Reads and writes; `transfer(n)` makes the real call with n bytes.
template <class Transfer>
ssize_t transfer_bytes(const Kind& kind, int fd, size_t size, Transfer&& transfer) {
  const int how = verdict_of(kind, fd);
  if (how == 0) return transfer(size);
  if (how == kShort) return transfer(half(size));
  if (how == kTear) {
    transfer(half(size));
    Plan::die();
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

// For streams: an error, or 0. Whether bytes are short is hidden in them; a torn write is none.
int stream_verdict(const Kind& kind, FILE* file) {
  const int how = verdict_of(kind, file);
  if (how == kTear) Plan::die();
  return how > 0 ? how : 0;
}

int print(FILE* file, const char* format, va_list arguments) {
  const int how = stream_verdict(kWrite, file);
  if (how) {
    mark(file, how);
    return -1;
  }
  static auto* const real = next<int(FILE*, const char*, va_list)>("vfprintf");
  return real(file, format, arguments);
}

template <class Real>
size_t write_stream(Real* real, const void* data, size_t size, size_t count, FILE* file) {
  const int how = stream_verdict(kWrite, file);
  if (how == 0) return real(data, size, count, file);
  mark(file, how);
  return 0;
}

template <class Real>
size_t read_stream(Real* real, void* data, size_t size, size_t count, FILE* file) {
  const int how = stream_verdict(kRead, file);
  if (how == 0) return real(data, size, count, file);
  mark(file, how);
  return 0;
}

template <class Real, class... Arguments>
int write_stream_piece(Real* real, FILE* file, Arguments... arguments) {
  const int how = stream_verdict(kWrite, file);
  if (how == 0) return real(arguments...);
  mark(file, how);
  return EOF;
}

}  // namespace

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

// Streams. The C library's own calls below them cannot be seen from here, so they fail as wholes.
FILE* fopen(const char* path, const char* mode) {
  static auto* const real = next<FILE*(const char*, const char*)>("fopen");
  return open_stream(real, path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  static auto* const real = next<FILE*(const char*, const char*)>("fopen64");
  return open_stream(real, path, mode);
}
size_t fread(void* data, size_t size, size_t count, FILE* file) {
  static auto* const real = next<size_t(void*, size_t, size_t, FILE*)>("fread");
  return read_stream(real, data, size, count, file);
}
size_t fread_unlocked(void* data, size_t size, size_t count, FILE* file) {
  static auto* const real = next<size_t(void*, size_t, size_t, FILE*)>("fread_unlocked");
  return read_stream(real, data, size, count, file);
}
ssize_t __getdelim(char** line, size_t* size, int end, FILE* file) {
  static auto* const real = next<ssize_t(char**, size_t*, int, FILE*)>("__getdelim");
  const int how = stream_verdict(kRead, file);
  if (how == 0) return real(line, size, end, file);
  mark(file, how);
  return -1;
}
size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  static auto* const real = next<size_t(const void*, size_t, size_t, FILE*)>("fwrite");
  return write_stream(real, data, size, count, file);
}
size_t fwrite_unlocked(const void* data, size_t size, size_t count, FILE* file) {
  static auto* const real = next<size_t(const void*, size_t, size_t, FILE*)>("fwrite_unlocked");
  return write_stream(real, data, size, count, file);
}
int fputs(const char* text, FILE* file) {
  static auto* const real = next<int(const char*, FILE*)>("fputs");
  return write_stream_piece(real, file, text, file);
}
int fputc(int byte, FILE* file) {
  static auto* const real = next<int(int, FILE*)>("fputc");
  return write_stream_piece(real, file, byte, file);
}
int putc(int byte, FILE* file) { return fputc(byte, file); }
int fflush(FILE* file) {
  static auto* const real = next<int(FILE*)>("fflush");
  return file ? write_stream_piece(real, file, file) : real(file);
}
// What was not written yet is lost where closing fails.
int fclose(FILE* file) {
  static auto* const real = next<int(FILE*)>("fclose");
  const int how = verdict_of(kClose, file);
  if (how) __fpurge(file);
  const int code = real(file);
  return how ? failed(how, EOF) : code;
}
int vfprintf(FILE* file, const char* format, va_list arguments) {
  return print(file, format, arguments);
}
int fprintf(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int code = print(file, format, arguments);
  va_end(arguments);
  return code;
}
int __vfprintf_chk(FILE* file, int, const char* format, va_list arguments) {
  return print(file, format, arguments);
}
int __fprintf_chk(FILE* file, int, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int code = print(file, format, arguments);
  va_end(arguments);
  return code;
}

}  // extern "C"
