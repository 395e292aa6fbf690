// The least that a crawl which reads and keeps pages can cost: a bare HTTP client, one pass of the
// HTML tokenizer and the fastest gzip, over the pages that standard input names, one "HOST /PATH" a
// line, on one connection to each host.
//
//   bench_floor PORT < pages     prints the pages and their CPU milliseconds: client, HTML, gzip

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <ctime>
#include <iostream>
#include <map>
#include <string>

#include "base/compress.h"
#include "parse/html_tokenizer.h"

namespace dowser {
namespace {

struct NoSink {
  size_t bytes = 0;
  void text(std::string_view piece) { bytes += piece.size(); }
  TextState start_tag(const Tag& tag) { return state_after(tag.id); }
  void end_tag(const Tag&) {}
};

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

int connect_to(const std::string& host, uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  inet_pton(AF_INET, host.c_str(), &address.sin_addr);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return -1;
  return fd;
}

// The body of the answer; empty if there is none. Answers have a Content-Length.
std::string_view get(int fd, const std::string& host, const std::string& path,
                     std::string& buffer) {
  const std::string request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
  if (send(fd, request.data(), request.size(), MSG_NOSIGNAL) < 0) return {};
  if (buffer.empty()) buffer.resize(1 << 16);
  size_t size = 0, end = std::string::npos;
  for (size_t head = std::string::npos; size < end;) {
    if (size == buffer.size()) buffer.resize(2 * size);
    const ssize_t n = recv(fd, buffer.data() + size, buffer.size() - size, 0);
    if (n <= 0) return {};
    size += static_cast<size_t>(n);
    const std::string_view read(buffer.data(), size);
    if (head != std::string::npos || (head = read.find("\r\n\r\n")) == read.npos) continue;
    constexpr std::string_view kLength = "Content-Length: ";
    const size_t at = read.find(kLength);
    if (at > head) return {};
    size_t length = 0;
    std::from_chars(read.data() + at + kLength.size(), read.data() + head, length);
    end = head + 4 + length;
    if (size >= end) return read.substr(head + 4, length);
    buffer.resize(std::max(buffer.size(), end));
    while (size < end) {
      const ssize_t more = recv(fd, buffer.data() + size, end - size, 0);
      if (more <= 0) return {};
      size += static_cast<size_t>(more);
    }
    return std::string_view(buffer).substr(head + 4, length);
  }
  return {};
}

int run(uint16_t port) {
  std::map<std::string, int> connections;
  std::string host, path, buffer, newlines;
  size_t pages = 0, proof = 0;
  double client = 0, html = 0, packing = 0;
  while (std::cin >> host >> path) {
    const double start = cpu_seconds();
    int& fd = connections.try_emplace(host, -1).first->second;
    if (fd < 0) fd = connect_to(host, port);
    const std::string_view body = get(fd, host, path, buffer);
    const double fetched = cpu_seconds();
    NoSink sink;
    tokenize_html(normalize_newlines(body, newlines), sink);
    const double read = cpu_seconds();
    proof += gzip_fast(body).size() + sink.bytes;
    const double packed = cpu_seconds();
    pages += !body.empty();
    client += fetched - start;
    html += read - fetched;
    packing += packed - read;
  }
  const double n = static_cast<double>(std::max<size_t>(1, pages)) / 1000;
  fmt::print("{} {:.4f} {:.4f} {:.4f}\n", pages, client / n, html / n, packing / n);
  return proof == 0;
}

}  // namespace
}  // namespace dowser

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_floor PORT < pages\n");
    return 2;
  }
  return dowser::run(static_cast<uint16_t>(std::stoul(argv[1])));
}
