#include "document/converter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "document/converter_process.h"

extern char** environ;

namespace dowser {
namespace {

// What a memory file holds; false if it is shorter than `size`.
bool read_memory_file(int file, uint64_t size, std::string& content) {
  content.resize(size);
  for (uint64_t at = 0; at < size;) {
    const ssize_t got = pread(file, content.data() + at, size - at, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += static_cast<uint64_t>(got);
  }
  return true;
}

bool can_read_within(int socket, uint64_t seconds) {
  pollfd file{socket, POLLIN, 0};
  int ready = 0;
  do {
    ready = poll(&file, 1, static_cast<int>(seconds * 1000));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

}  // namespace

Result<std::unique_ptr<Converter>> Converter::start(const std::filesystem::path& program) {
  std::unique_ptr<Converter> converter(new Converter(program));
  if (Status s = converter->start_process(); !s) return s.error();
  return converter;
}

Converter::~Converter() { end_process(); }

Status Converter::start_process() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Error{fmt::format("documents cannot be converted: {}", std::strerror(errno))};
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // A descriptor that is already 3 would stay closed on exec, so it goes there by way of another.
  const int other = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
  posix_spawn_file_actions_adddup2(&actions, other, kConverterSocket);
  const std::string path = program_.string();
  char* arguments[] = {const_cast<char*>(path.c_str()), const_cast<char*>("convert-documents"),
                       nullptr};
  pid_t process = -1;
  const std::lock_guard lock(mutex_);
  if (interrupted_) {
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    close(ends[1]);
    close(other);
    return Error{"documents are no longer converted: the crawl is ending"};
  }
  const int error = posix_spawn(&process, path.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  close(other);
  socket_ = ends[0];
  if (error != 0) {
    close(std::exchange(socket_, -1));
    return Error{fmt::format("documents cannot be converted: {} cannot be started: {}", path,
                             std::strerror(error))};
  }
  process_ = process;
  int file = -1;
  if (!can_read_within(socket_, 60) ||
      !receive_with_file(socket_, &support_, sizeof support_, file)) {
    close(std::exchange(socket_, -1));
    kill(process_, SIGKILL);
    wait_for_process();
    return Error{
        fmt::format("documents cannot be converted: {} convert-documents does not answer", path)};
  }
  return {};
}

void Converter::wait_for_process() {
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

void Converter::end_process() {
  const std::lock_guard lock(mutex_);
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  wait_for_process();
}

void Converter::interrupt() {
  const std::lock_guard lock(mutex_);
  interrupted_ = true;
  if (process_ >= 0) kill(process_, SIGKILL);  // it is waited for by whoever uses it
}

bool Converter::ask(DocumentFormat format, std::string_view bytes, const ConversionLimits& limits,
                    RawConversion& result) {
  const int document = memory_file(bytes);
  if (document < 0) {
    result.failure = ConversionFailure::kMemory;
    return true;
  }
  const ConversionRequest request{format, limits};
  const bool sent = send_with_file(socket_, &request, sizeof request, document);
  close(document);
  // Two programs at the most run for a document; the process itself ends each in time.
  if (!sent || !can_read_within(socket_, 2 * limits.seconds + 10)) return false;
  ConversionReply reply;
  int answer = -1;
  if (!receive_with_file(socket_, &reply, sizeof reply, answer)) return false;
  std::string all;
  const bool is_whole =
      answer >= 0 &&
      read_memory_file(answer, reply.text_bytes + reply.layout_bytes + reply.detail_bytes, all);
  if (answer >= 0) close(answer);
  result.failure = is_whole ? reply.failure : ConversionFailure::kMemory;
  result.cpu_seconds = reply.cpu_seconds;
  if (!is_whole) return true;
  result.text = all.substr(0, reply.text_bytes);
  result.layout = all.substr(reply.text_bytes, reply.layout_bytes);
  result.detail = all.substr(reply.text_bytes + reply.layout_bytes);
  return true;
}

RawConversion Converter::convert(DocumentFormat format, std::string_view bytes,
                                 const ConversionLimits& limits) {
  RawConversion result;
  if (!support_.is_enough()) {
    result.failure = ConversionFailure::kNotConfined;
    result.detail = support_.missing();
    return result;
  }
  if (process_ >= 0 && ask(format, bytes, limits, result)) return result;
  // The process hangs or is gone. It is restarted for the next document; this one is not tried
  // again, since it may be the cause.
  end_process();
  if (Status s = start_process(); !s) {
    result.failure = ConversionFailure::kNotConfined;
    result.detail = s.error().message;
    return result;
  }
  result.failure = ConversionFailure::kTime;
  result.detail = "the converter did not answer";
  return result;
}

}  // namespace dowser
