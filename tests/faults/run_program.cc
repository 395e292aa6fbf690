#include "tests/faults/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "tests/support.h"

namespace dowser::faults {
namespace {

int output_file(const std::filesystem::path& path) {
  const int file = path.empty() ? memfd_create("output", MFD_CLOEXEC)
                                : open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) throw std::runtime_error("cannot make a file for the output of a program");
  return file;
}

std::string content_of(int file) {
  std::string content;
  char piece[65536];
  while (true) {
    const ssize_t n = pread(file, piece, sizeof piece, static_cast<off_t>(content.size()));
    if (n <= 0) return content;
    content.append(piece, static_cast<size_t>(n));
  }
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

}  // namespace

Ended run_program(const Command& command) {
  const int out = output_file(command.out), err = output_file({});
  std::vector<std::string> environment = command.environment;
  // What a sanitizer finds is no failure of the usual kind, which ends with 1.
  for (const std::string name : {"ASAN_OPTIONS", "TSAN_OPTIONS"}) {
    const char* given = std::getenv(name.c_str());
    environment.push_back(name + "=" + (given ? given : "") + " exitcode=99");
  }
  for (char** own = environ; *own; ++own) environment.emplace_back(*own);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
  pid_t child = -1;
  const int failed = posix_spawn(&child, command.words[0].c_str(), &files, nullptr,
                                 pointers(command.words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&files);
  if (failed) throw std::runtime_error("cannot run " + command.words[0] + ": is it built?");

  Ended ended;
  pollfd ends{static_cast<int>(syscall(SYS_pidfd_open, child, 0)), POLLIN, 0};
  const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(command.limit).count();
  if (poll(&ends, 1, static_cast<int>(limit)) == 0) {
    ended.hung = true;
    kill(child, SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (command.out.empty()) ended.out = content_of(out);
  ended.err = content_of(err);
  for (const int file : {ends.fd, out, err}) close(file);
  return ended;
}

std::string shell_form(const Command& command) {
  std::string text;
  for (const std::string& setting : command.environment) text += setting + " ";
  for (const std::string& word : command.words) {
    const bool plain = word.find_first_of(" '\"&?*") == word.npos;
    text += plain ? word + " " : "'" + word + "' ";
  }
  if (!command.out.empty()) text += "> " + command.out.string();
  return text;
}

}  // namespace dowser::faults
