#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

// Servers for tests, on a free port of 127.0.0.1, that do exactly what a test tells them to.

namespace dowser {

// What a misbehaviour has in hand: one connection, after a request was read.
class HostileConnection {
 public:
  HostileConnection(int socket, const std::atomic<bool>& ending)
      : socket_(socket), ending_(ending) {}

  // False once the client has gone.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(n));
    }
    return !ending_;
  }

  // Until the client has gone.
  void send_for_ever(std::string_view bytes, std::chrono::milliseconds pause = {}) {
    while (send(bytes)) {
      if (pause.count() > 0) std::this_thread::sleep_for(pause);
    }
  }

  // Until the client goes.
  void do_nothing() {
    char byte;
    while (recv(socket_, &byte, 1, 0) > 0) {
    }
  }

  // The next close is a reset, not an orderly end.
  void reset() {
    const linger now{1, 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  }

  // The head of the next request; "" where the client has gone.
  std::string read_request() {
    std::string request;
    char byte;
    while (!request.ends_with("\r\n\r\n") && recv(socket_, &byte, 1, 0) == 1) request += byte;
    return request.ends_with("\r\n\r\n") ? request : "";
  }

 private:
  const int socket_;
  const std::atomic<bool>& ending_;
};

class HostileServer {
 public:
  // True: the connection stays open for the next request.
  using Behaviour = std::function<bool(HostileConnection&, const std::string& request)>;

  // By the first segment of the path. One that is none of them: the connection is closed.
  explicit HostileServer(std::map<std::string, Behaviour> behaviours)
      : HostileServer([this](HostileConnection& c) { answer_requests(c); }, std::move(behaviours)) {
  }

  // One that does not wait for a request.
  explicit HostileServer(std::function<void(HostileConnection&)> on_connection,
                         std::map<std::string, Behaviour> behaviours = {})
      : on_connection_(std::move(on_connection)),
        behaviours_(std::move(behaviours)),
        listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
    listen(listener_, 1024);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }

  ~HostileServer() {
    ending_ = true;
    shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    {
      const std::lock_guard lock(mutex_);
      for (const int socket : open_) shutdown(socket, SHUT_RDWR);
    }
    for (std::thread& thread : threads_) thread.join();
    close(listener_);
  }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  int connections() const { return connections_; }
  int requests() const { return requests_; }
  size_t open_connections() {
    const std::lock_guard lock(mutex_);
    return open_.size();
  }

 private:
  void accept_all() {
    while (!ending_) {
      const int socket = accept(listener_, nullptr, nullptr);
      if (socket < 0) continue;
      ++connections_;
      const std::lock_guard lock(mutex_);
      open_.insert(socket);
      threads_.emplace_back([this, socket] { serve(socket); });
    }
  }

  void serve(int socket) {
    HostileConnection connection(socket, ending_);
    on_connection_(connection);
    const std::lock_guard lock(mutex_);
    open_.erase(socket);
    close(socket);
  }

  void answer_requests(HostileConnection& connection) {
    while (true) {
      const std::string request = connection.read_request();
      if (request.empty()) return;
      ++requests_;
      const size_t path = request.find('/');
      const size_t end = std::min(request.find(' ', path), request.find('/', path + 1));
      const auto found = behaviours_.find(request.substr(path, end - path));
      if (found == behaviours_.end() || !found->second(connection, request)) return;
    }
  }

  const std::function<void(HostileConnection&)> on_connection_;
  const std::map<std::string, Behaviour> behaviours_;
  const int listener_;
  uint16_t port_ = 0;
  std::atomic<bool> ending_ = false;
  std::atomic<int> connections_ = 0, requests_ = 0;
  std::mutex mutex_;
  std::set<int> open_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

// A name server (RFC 1035, UDP) that knows the IPv4 addresses it was given, each for `ttl` seconds.
// Names without an address do not exist; names that start with "silent" get no answer.
class TestNameServer {
 public:
  explicit TestNameServer(std::map<std::string, std::vector<uint32_t>> names)
      : names_(std::move(names)), socket_(socket(AF_INET, SOCK_DGRAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(socket_, reinterpret_cast<sockaddr*>(&address), size);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    const timeval patience{0, 20'000};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    thread_ = std::thread([this] { run(); });
  }

  ~TestNameServer() {
    ending_ = true;
    thread_.join();
    close(socket_);
  }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  int questions() const { return questions_; }

 private:
  void run() {
    while (!ending_) {
      char packet[512];
      sockaddr_in from{};
      socklen_t size = sizeof from;
      const ssize_t n =
          recvfrom(socket_, packet, sizeof packet, 0, reinterpret_cast<sockaddr*>(&from), &size);
      if (n < 17) continue;
      ++questions_;
      const std::string reply = answer(std::string(packet, static_cast<size_t>(n)));
      if (reply.empty()) continue;
      sendto(socket_, reply.data(), reply.size(), 0, reinterpret_cast<sockaddr*>(&from), size);
    }
  }

  std::string answer(const std::string& question) const {
    std::string name;
    size_t at = 12;
    while (at < question.size() && question[at] != 0) {
      const auto length = static_cast<size_t>(question[at]);
      name += (name.empty() ? "" : ".") + question.substr(at + 1, length);
      at += 1 + length;
    }
    if (name.starts_with("silent") || at + 5 > question.size()) return "";
    const bool wants_ipv4 = question[at + 2] == 1;
    const auto found = names_.find(name);
    const auto none = std::vector<uint32_t>{};
    const auto& addresses = found != names_.end() && wants_ipv4 ? found->second : none;
    std::string reply = question.substr(0, at + 5);
    reply[2] = '\x81';
    reply[3] = found == names_.end() ? '\x83' : '\x80';  // "no such name", or fine
    reply[6] = 0;
    reply[7] = static_cast<char>(addresses.size());
    reply[8] = reply[9] = reply[10] = reply[11] = 0;
    for (const uint32_t address : addresses) {
      reply += std::string("\xc0\x0c\0\x01\0\x01\0\0\0\x3c\0\x04", 12);
      for (int shift = 24; shift >= 0; shift -= 8) reply += static_cast<char>(address >> shift);
    }
    return reply;
  }

  const std::map<std::string, std::vector<uint32_t>> names_;
  const int socket_;
  uint16_t port_ = 0;
  std::atomic<bool> ending_ = false;
  std::atomic<int> questions_ = 0;
  std::thread thread_;
};

}  // namespace dowser
