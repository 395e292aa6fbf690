#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>

#include "tests/hostile/hostile_web.h"

// A client that sees every byte and forgives nothing.

namespace dowser {

struct Received {
  std::string bytes;
  bool was_reset = false;
  bool was_closed = false;  // by the server
  std::chrono::milliseconds took{0};

  std::string_view head() const {
    return std::string_view(bytes).substr(0, std::min(bytes.find("\r\n\r\n"), bytes.size()));
  }
  std::string_view body() const {
    const size_t end = bytes.find("\r\n\r\n");
    return end == bytes.npos ? std::string_view() : std::string_view(bytes).substr(end + 4);
  }
  // The body with the chunks joined; it must be whole.
  std::string joined() const {
    std::string_view rest = body();
    if (field("Transfer-Encoding") != "chunked") return std::string(rest);
    std::string out;
    while (true) {
      const size_t size = std::stoul(std::string(rest.substr(0, rest.find('\r'))), nullptr, 16);
      if (size == 0) return out;
      rest.remove_prefix(rest.find('\n') + 1);
      out += rest.substr(0, size);
      rest.remove_prefix(size + 2);
    }
  }
  std::string status() const { return bytes.substr(0, 12); }  // "HTTP/1.1 200"
  std::string field(std::string_view name) const {
    const std::string key = fmt::format("\r\n{}: ", name);
    const size_t at = head().find(key);
    if (at == std::string_view::npos) return "";
    const std::string_view value = head().substr(at + key.size());
    return std::string(value.substr(0, value.find('\r')));
  }
};

class RawClient {
 public:
  explicit RawClient(const HostileWeb::Host& host) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(host.port);
    inet_pton(AF_INET, host.address.c_str(), &to.sin_addr);
    const timeval patience{300, 0};  // of a test that hangs
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    is_connected_ = connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool is_connected() const { return is_connected_; }
  int socket() const { return socket_; }

  void send(std::string_view bytes) const {
    [[maybe_unused]] const ssize_t n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

  // Until the server closes or there are `limit` bytes.
  Received receive(size_t limit = 20'000'000) const {
    Received got;
    char piece[65536];
    while (got.bytes.size() < limit) {
      const size_t most = std::min(sizeof piece, limit - got.bytes.size());
      const ssize_t n = recv(socket_, piece, most, 0);
      got.was_closed = n == 0;
      got.was_reset = n < 0 && errno == ECONNRESET;
      if (n <= 0) break;
      got.bytes.append(piece, static_cast<size_t>(n));
    }
    got.took = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - start_);
    return got;
  }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bool is_connected_;
};

inline const HostileWeb::Host& host_named(const HostileWeb& web, std::string_view name) {
  const auto found = std::ranges::find(web.hosts(), name, &HostileWeb::Host::name);
  if (found == web.hosts().end()) throw std::runtime_error("no host " + std::string(name));
  return *found;
}

// One request on a connection of its own; `fields` end with \r\n.
inline Received get(const HostileWeb& web, std::string_view host, std::string_view target = "/",
                    std::string_view fields = "", size_t limit = 20'000'000) {
  const RawClient client(host_named(web, host));
  client.send(fmt::format("GET {} HTTP/1.1\r\nHost: {}:{}\r\nConnection: close\r\n{}\r\n", target,
                          host, web.port(), fields));
  return client.receive(limit);
}

// The values of href="…", in their order.
inline std::vector<std::string> hrefs_of(std::string_view page) {
  std::vector<std::string> hrefs;
  constexpr std::string_view kBefore = "href=\"";
  for (size_t at = 0; (at = page.find(kBefore, at)) != page.npos;) {
    at += kBefore.size();
    const size_t end = page.find('"', at);
    hrefs.emplace_back(page.substr(at, end - at));
  }
  return hrefs;
}

}  // namespace dowser
