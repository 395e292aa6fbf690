#pragma once

#include <dlfcn.h>
#include <limits.h>

#include <cerrno>
#include <cstdio>

// What the library of fail_calls.cc is told to do, and what follows from it for one call.

namespace dowser::faults {

// A kind of call and the ways in which it can fail.
struct Kind {
  const char* name;
  const char* ways;
};
inline constexpr Kind kOpen{"open", "EIO EMFILE EACCES EINTR"};
inline constexpr Kind kCreate{"create", "EIO EMFILE EACCES EINTR ENOSPC"};
inline constexpr Kind kRead{"read", "EIO EINTR SHORT"};
inline constexpr Kind kWrite{"write", "EIO ENOSPC EINTR SHORT TEAR"};
inline constexpr Kind kSync{"sync", "EIO ENOSPC"};
inline constexpr Kind kResize{"resize", "EIO ENOSPC EINTR"};
inline constexpr Kind kRename{"rename", "EIO ENOSPC EACCES"};
inline constexpr Kind kLink{"link", "EIO ENOSPC EACCES"};
inline constexpr Kind kRemove{"remove", "EIO EACCES"};
inline constexpr Kind kMakeFolder{"mkdir", "EIO ENOSPC EACCES"};
inline constexpr Kind kList{"list", "EIO EACCES EMFILE"};
inline constexpr Kind kListNext{"list-next", "EIO"};
inline constexpr Kind kStat{"stat", "EIO EACCES"};
inline constexpr Kind kStatOpen{"fstat", "EIO"};
inline constexpr Kind kMap{"map", "EIO ENOMEM"};
inline constexpr Kind kSeek{"seek", "EIO"};
inline constexpr Kind kClose{"close", "EIO"};
inline constexpr Kind kLock{"lock", "EIO EACCES"};
inline constexpr Kind kCopy{"dup", "EMFILE"};

// How a call must fail: 0 (not at all), the number of an error, or one of these.
inline constexpr int kShort = -1;
inline constexpr int kTear = -2;

// By its descriptor, which is known by the path the kernel has for it, or by its path, which may be
// relative to `folder`; AT_FDCWD is the working directory. They leave errno alone.
int verdict_of(const Kind& kind, int fd);
int verdict_of(const Kind& kind, int folder, const char* path);
int verdict_of(const Kind& kind, const char* path);
int verdict_of(const Kind& kind, FILE* file);

// Keeps a copy of the file as it is now, just before it is synced: what a power cut leaves of it.
void keep_synced(int fd);

[[noreturn]] void die();

// The function that would be called without this library.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// What a call returns that fails; a short one is not for it.
template <class Value>
Value failed(int error, Value value) {
  errno = error > 0 ? error : EIO;
  return value;
}

}  // namespace dowser::faults
