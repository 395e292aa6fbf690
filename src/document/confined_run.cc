#include "document/confined_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <new>

#include "base/file.h"

namespace dowser {
namespace {

using std::chrono::steady_clock;

constexpr size_t kMostErrors = 4096;
// Exit codes of the child that are ours; converters use small ones.
constexpr int kNotConfined = 120, kNotStarted = 121, kDamaged = 1, kNoMemory = 122;

class Pipe {
 public:
  Pipe() { is_open_ = pipe2(ends_.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool is_open() const { return is_open_; }
  int end(int i) const { return ends_[i]; }
  void close_end(int i) {
    if (ends_[i] >= 0) close(ends_[i]);
    ends_[i] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
  bool is_open_;
};

int run_reader(const Confined& what) {
  struct stat about;
  if (fstat(0, &about) != 0) return kDamaged;
  const size_t size = static_cast<size_t>(about.st_size);
  void* bytes = size == 0 ? nullptr : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, 0, 0);
  if (size > 0 && bytes == MAP_FAILED) return kNoMemory;
  try {
    const Result<std::string> text = what.reader({static_cast<const char*>(bytes), size});
    const std::string& told = text ? *text : text.error().message;
    (void)write_all(text ? 1 : 2, told, "");
    return text ? 0 : kDamaged;
  } catch (const std::bad_alloc&) {
    return kNoMemory;
  }
}

[[noreturn]] void run_child(const Confined& what, int input, int output, int errors,
                            const JailSupport& support, const ConversionLimits& limits) {
  lseek(input, 0, SEEK_SET);
  // The three may lie below 3, so they are first moved out of each other's way.
  const std::array<int, 3> moved = {fcntl(input, F_DUPFD, 10), fcntl(output, F_DUPFD, 10),
                                    fcntl(errors, F_DUPFD, 10)};
  for (int i = 0; i < 3; ++i) dup2(moved[i], i);
  syscall(SYS_close_range, 3, ~0U, 0);
  if (const Status confined = enter_jail(support, limits.jail); !confined) {
    (void)write_all(2, confined.error().message, "");
    _exit(kNotConfined);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (what.reader) _exit(run_reader(what));
  std::vector<char*> arguments;
  for (const std::string& argument : what.command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const char* environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/nonexistent",
                               nullptr};
  execve(arguments[0], arguments.data(), const_cast<char**>(environment));
  _exit(kNotStarted);
}

// Reads what is there. False: the other side has closed it.
bool read_some(int file, std::string& into, size_t most, bool& overflowed) {
  char buffer[1 << 16];
  const ssize_t size = read(file, buffer, sizeof buffer);
  if (size <= 0) return size < 0 && (errno == EINTR || errno == EAGAIN);
  const size_t room = most - std::min(most, into.size());
  into.append(buffer, std::min(room, static_cast<size_t>(size)));
  overflowed |= static_cast<size_t>(size) > room;
  return true;
}

// Reads both pipes until the child has ended, its time is over, or it says too much.
void watch(pid_t child, Pipe& output, Pipe& errors, int given_up, const ConversionLimits& limits,
           ConfinedRun& run) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  const auto deadline = steady_clock::now() + std::chrono::seconds(limits.seconds);
  bool has_ended = false, errors_cut = false;
  while (true) {
    std::array<pollfd, 4> files = {{{output.end(0), POLLIN, 0},
                                    {errors.end(0), POLLIN, 0},
                                    {has_ended ? -1 : process, POLLIN, 0},
                                    {has_ended ? -1 : given_up, POLLIN, 0}}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
    const int ready = poll(files.data(), files.size(),
                           has_ended ? 0 : static_cast<int>(std::max<int64_t>(0, left.count())));
    if (ready < 0 && errno == EINTR) continue;
    if (has_ended && ready <= 0) break;  // ended, and nothing more to read
    if (ready == 0) {
      run.timed_out = true;
      break;
    }
    if (files[0].revents &&
        !read_some(output.end(0), run.output, limits.output_bytes, run.overflowed)) {
      output.close_end(0);
    }
    if (files[1].revents && !read_some(errors.end(0), run.errors, kMostErrors, errors_cut)) {
      errors.close_end(0);
    }
    if (run.overflowed) break;
    if (files[3].revents) {
      run.timed_out = true;
      break;
    }
    if (files[2].revents) has_ended = true;
  }
  if (process >= 0) close(process);
  if (!has_ended) kill(child, SIGKILL);
}

}  // namespace

ConfinedRun run_confined(const Confined& what, int input, int given_up, const JailSupport& support,
                         const ConversionLimits& limits) {
  ConfinedRun run;
  Pipe output, errors;
  const pid_t child = output.is_open() && errors.is_open() ? fork() : -1;
  if (child < 0) {
    run.not_confined = true;
    run.errors = "cannot start a process or open a pipe for a converter: too many are in use";
    return run;
  }
  if (child == 0) run_child(what, input, output.end(1), errors.end(1), support, limits);
  output.close_end(1);
  errors.close_end(1);
  watch(child, output, errors, given_up, limits, run);
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  run.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  run.memory_bytes = static_cast<uint64_t>(used.ru_maxrss) * 1024;
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) run.signal = WTERMSIG(status);
  run.not_confined |= run.exit_code == kNotConfined;
  if (run.exit_code == kNoMemory) run.errors = "out of memory";
  return run;
}

}  // namespace dowser
