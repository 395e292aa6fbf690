#include "document/converter_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/file.h"

namespace dowser {

bool send_with_file(int socket, const void* bytes, size_t size, int file) {
  iovec piece{const_cast<void*>(bytes), size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (file >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  ssize_t sent = 0;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(size);
}

bool receive_with_file(int socket, void* bytes, size_t size, int& file) {
  file = -1;
  iovec piece{bytes, size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t received = 0;
  do {
    received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
  } while (received < 0 && errno == EINTR);
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); received > 0 && header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
      std::memcpy(&file, CMSG_DATA(header), sizeof file);
    }
  }
  if (received == static_cast<ssize_t>(size)) return true;
  if (file >= 0) close(file);
  file = -1;
  return false;
}

int memory_file(std::string_view content) {
  const int file = memfd_create("document", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (write_all(file, content, "a memory file")) return file;
  close(file);
  return -1;
}

namespace {

// Pages come before documents: a crawl goes on while documents wait for a converter. Kernels that
// share the processor among sessions (sched_autogroup) have a priority for the session as a whole,
// and look at that of a process only within its session.
void lower_priority() {
  constexpr int kNice = 15;
  (void)setpriority(PRIO_PROCESS, 0, kNice);
  const int file = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  (void)write_all(file, std::to_string(kNice), "");
  close(file);
}

}  // namespace

int run_converter_process(int socket) {
  setsid();  // programs that read documents have no terminal
  lower_priority();
  signal(SIGINT, SIG_IGN);  // Ctrl-C is the crawler's business
  JailSupport support = jail_support();
  // Where that fails, each document's process tries for itself and says why it cannot.
  (void)enter_namespaces(support);
  if (!send_with_file(socket, &support, sizeof support, -1)) return 1;
  ConversionRequest request;
  for (int document = -1; receive_with_file(socket, &request, sizeof request, document);) {
    const RawConversion done =
        convert_confined(request.format, document, socket, support, request.limits);
    if (document >= 0) close(document);
    const ConversionReply reply{done.failure, done.cpu_seconds, done.text.size(),
                                done.layout.size(), done.detail.size()};
    const int answer = memory_file(done.text + done.layout + done.detail);
    const bool sent = send_with_file(socket, &reply, sizeof reply, answer);
    if (answer >= 0) close(answer);
    if (!sent) return 0;
  }
  return 0;
}

}  // namespace dowser
