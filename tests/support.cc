#include "tests/support.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <ostream>
#include <set>
#include <stdexcept>
#include <thread>

#include "base/new_file.h"

namespace dowser {
namespace {

constexpr std::chrono::seconds kTimeout{600};
constexpr std::chrono::milliseconds kPause{2};

std::filesystem::path data_folder() {
  const char* set = std::getenv("DOWSER_DATA");
  return set ? std::filesystem::path(set)
             : (source_dir().parent_path() / "shared" / "data").lexically_normal();
}

// The collections that were looked for in vain.
std::set<std::string>& missing_data() {
  static std::set<std::string> names;
  return names;
}

int unnamed_file() {
  const int file = memfd_create("dowser-test", MFD_CLOEXEC);
  if (file < 0) throw std::runtime_error("cannot make a temporary file");
  return file;
}

std::string content_of(int file) {
  std::string content;
  char piece[4096];
  while (true) {
    const ssize_t n = pread(file, piece, sizeof piece, static_cast<off_t>(content.size()));
    if (n <= 0) return content;
    content.append(piece, static_cast<size_t>(n));
  }
}

// Calls `done` until it says yes; false where that takes too long.
template <class Done>
bool wait_for(Done&& done) {
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

}  // namespace

Status put_file(const std::filesystem::path& path, std::string_view content) {
  return replace_own_file(path, content);
}

std::ostream& operator<<(std::ostream& out, NoData) {
  std::string names;
  for (const std::string& name : missing_data()) names += (names.empty() ? "" : ", ") + name;
  missing_data().clear();
  return out << "needs the collection " << (names.empty() ? "that it names" : names)
             << ", which is not in " << data_folder().string()
             << ": set DOWSER_DATA to a folder that has it";
}

std::optional<std::filesystem::path> test_data(std::string_view name) {
  const std::filesystem::path file = data_folder() / name;
  if (std::filesystem::exists(file)) return file;
  missing_data().insert(std::string(name));
  return std::nullopt;
}

std::filesystem::path source_dir() { return DOWSER_SOURCE_DIR; }

std::filesystem::path dowser_program() { return DOWSER_BINARY; }

DowserProcess::DowserProcess(const std::vector<std::string>& arguments)
    : out_(unnamed_file()), err_(unnamed_file()) {
  std::string program = dowser_program().string();
  std::vector<char*> argv = {program.data()};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.data()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out_, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, err_, STDERR_FILENO);
  const int failed = posix_spawn(&pid_, program.c_str(), &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed) throw std::runtime_error("cannot run " + program + ": is it built?");
}

DowserProcess::~DowserProcess() {
  if (!has_ended()) {
    signal(SIGKILL);
    wait_for([this] { return has_ended(); });
  }
  close(out_);
  close(err_);
}

bool DowserProcess::has_ended() {
  if (code_) return true;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return true;
}

void DowserProcess::signal(int number) {
  if (!has_ended()) kill(pid_, number);
}

void DowserProcess::wait_until_it_handles(int signal) {
  wait_for([&] {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    std::string word;
    while (status >> word && word != "SigCgt:") {
    }
    status >> word;  // a mask in hexadecimal
    return has_ended() || (std::strtoull(word.c_str(), nullptr, 16) >> (signal - 1) & 1) != 0;
  });
}

std::string DowserProcess::first_line() {
  std::string out;
  wait_for([&] {
    const bool ended = has_ended();  // asked first: what it printed is then all there
    out = content_of(out_);
    return ended || out.find('\n') != out.npos;
  });
  return out.substr(0, out.find('\n'));
}

Ran DowserProcess::wait() {
  if (!wait_for([this] { return has_ended(); })) {
    signal(SIGKILL);
    wait_for([this] { return has_ended(); });
  }
  return {code_.value_or(-1), content_of(out_), content_of(err_)};
}

Ran run_dowser(const std::vector<std::string>& arguments) {
  return DowserProcess(arguments).wait();
}

TempDir::TempDir() {
  std::string pattern = (std::filesystem::temp_directory_path() / "dowser-test-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot make a temporary folder");
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace dowser
