#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

// A library for LD_PRELOAD that lets a test set the wall clock of one program while it runs. The
// file that $DOWSER_WALL_CLOCK names holds eight bytes, by how many microseconds the wall clock is
// wrong. The steady clock stays as it is.

namespace {

int64_t shift() {
  static const std::atomic<int64_t>* const shared = []() -> const std::atomic<int64_t>* {
    const char* const name = std::getenv("DOWSER_WALL_CLOCK");
    const int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return nullptr;
    void* const memory = mmap(nullptr, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    return memory == MAP_FAILED ? nullptr : static_cast<const std::atomic<int64_t>*>(memory);
  }();
  return shared ? shared->load(std::memory_order_relaxed) : 0;
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static const auto next = real<int(clockid_t, timespec*)>("clock_gettime");
  const int result = next(clock, time);
  if (result != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
  const int64_t micros = time->tv_sec * int64_t{1'000'000} + time->tv_nsec / 1000 + shift();
  time->tv_sec = micros / 1'000'000;
  time->tv_nsec = micros % 1'000'000 * 1000;
  return result;
}

extern "C" int gettimeofday(timeval* time, void*) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

extern "C" time_t time(time_t* into) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}
