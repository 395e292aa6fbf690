#include "tests/faults/fail_plan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace dowser::faults {
namespace {

struct Error {
  const char* name;
  int number;
};
constexpr Error kErrors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EMFILE", EMFILE},
                             {"EACCES", EACCES}, {"EINTR", EINTR},   {"ENOMEM", ENOMEM}};

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

}  // namespace

void die() {
  kill(getpid(), SIGKILL);
  while (true) pause();
}

int verdict_of(const Kind& kind, int fd) {
  if (!plan.below || fd < 0) return 0;
  const int before = errno;
  char path[PATH_MAX];
  const int how = path_of(fd, path) ? plan.verdict(kind, path) : 0;
  errno = before;
  return how;
}

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

}  // namespace dowser::faults
